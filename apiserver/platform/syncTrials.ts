import type { SyncProblem, SyncTrial, SyncTrialResult } from '../apis/management/platform.ts'
import { bounded } from '../meta/waiting/bounded.ts'
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

/** Limits of one trial. */
const workLimits = { timeMs: 2_000, resultBytes: 1024 * 1024 }
const maxWaiting = 8
/** Time limit of one trial, including the start of the sandbox. */
const trialMs = 30_000

/**
 * Runs `sync explain` for users, one trial at a time and in a separate sandbox, so that trials never delay syncing.
 * Everything heavy is loaded with the first one.
 */
export class SyncTrials {
  readonly #options: SyncTrialsOptions
  #runtime: Promise<ExpressionRuntime> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(options: SyncTrialsOptions) {
    this.#options = options
  }

  /** Runs a trial. @throws StatusError 413 for input that would block the parser, 429 if too many wait. */
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

  /** Stops the sandbox; waiting trials fail. */
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

/** Problems of the input; undefined: the error is unrelated to it. */
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
