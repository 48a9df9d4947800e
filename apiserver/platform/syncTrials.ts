import type { SyncProblem, SyncTrial, SyncTrialResult } from '../apis/management/platform.ts'
import { bounded } from '../meta/bounded.ts'
import { decodeWholeYaml } from '../encoding/yaml.ts'
import type { Clock } from '../meta/clock.ts'
import { StatusError } from '../meta/status.ts'
import { tooManyRequests } from '../meta/statusErrors.ts'
import type { ExpressionRuntime } from '../../syncer/expressions/expressionRuntime.ts'

export interface SyncTrialsOptions {
  /** The domain of the names profile. */
  domain: string
  clock: Clock
}

/** Of one trial, together. */
const workLimits = { timeMs: 2_000, resultBytes: 1024 * 1024 }
const maxWaiting = 8
/** Of one trial, whatever it waits for: the sandbox may have to be started. */
const trialMs = 30_000

/** Tries configurations on objects as `sync explain` does, one at a time and in a sandbox of their own: what somebody
 *  tries holds up nobody's syncing. Everything heavy is loaded with the first one. */
export class SyncTrials {
  readonly #options: SyncTrialsOptions
  #runtime: Promise<ExpressionRuntime> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(options: SyncTrialsOptions) {
    this.#options = options
  }

  /** @throws StatusError 413 for a text that would keep the parser busy, 429 where too many wait. */
  async try(trial: SyncTrial): Promise<SyncTrialResult> {
    if (this.#waiting >= maxWaiting) {
      throw tooManyRequests('too many sync explanations at once, please try again later', 1)
    }
    this.#waiting++
    const bounds = { clock: this.#options.clock, ms: trialMs, what: 'explaining a sync' }
    const turn = this.#last.then(() => bounded(bounds, () => this.#explain(trial)))
    this.#last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      this.#waiting--
    }
  }

  /** Ends the sandbox; what still waits fails. */
  async close(): Promise<void> {
    await (await this.#runtime)?.close()
  }

  async #explain({ config, object, ...names }: SyncTrial): Promise<SyncTrialResult> {
    const { domain, clock } = this.#options
    const [{ explainSync }, { limitedRuntime }] = await Promise.all([
      import('../../syncer/explain/explainSync.ts'),
      import('../../syncer/expressions/limitedRuntime.ts'),
    ])
    try {
      const given = await decodedConfig(config)
      const runtime = limitedRuntime(await this.#expressions(), clock, workLimits)
      const explanation = await explainSync(given, object, { ...names, domain, runtime })
      return { explanation: { ...explanation } }
    } catch (error) {
      const problems = await problemsOf(error)
      if (problems === undefined) throw error
      return { problems }
    }
  }

  #expressions(): Promise<ExpressionRuntime> {
    const { clock } = this.#options
    this.#runtime ??= import('../../syncer/expressions/sandboxRuntime.ts').then(
      ({ SandboxRuntime }) => new SandboxRuntime({ clock }),
    )
    return this.#runtime
  }
}

async function decodedConfig(config: string): Promise<unknown> {
  return config.trim() === '' ? undefined : (await decodeWholeYaml(Buffer.from(config))).value
}

/** What is wrong with what was given; undefined: the error is another one. */
async function problemsOf(error: unknown): Promise<SyncProblem[] | undefined> {
  const [{ SyncConfigError }, { ObjectError }, { ExpressionError }] = await Promise.all([
    import('../../syncer/config/syncConfig.ts'),
    import('../../syncer/explain/readObject.ts'),
    import('../../syncer/expressions/expressionRuntime.ts'),
  ])
  const about = (field: SyncProblem['field'], messages: readonly string[]) =>
    messages.map((message) => ({ field, message }))
  if (error instanceof SyncConfigError) return about('config', error.problems)
  if (error instanceof ObjectError) return about('object', error.problems)
  if (error instanceof ExpressionError) return about('config', [error.message])
  if (error instanceof StatusError && error.code === 400) return about('config', [error.message])
  return undefined
}
