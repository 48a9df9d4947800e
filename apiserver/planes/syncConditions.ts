import type { ExpressionRuntime } from '../../syncer/expressions/expressionRuntime.ts'
import { isObject } from '../meta/isObject.ts'
import { reportedStatus } from '../apis/management/instanceStatus.ts'
import { WorkQueue } from '../controllers/workQueue.ts'
import type { Clock } from '../meta/clock.ts'
import { withCondition, type Condition } from '../meta/condition.ts'
import { StatusError } from '../meta/status.ts'
import type { ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'
import type { Entry } from '../watch/entry.ts'
import { readConfiguration, valuesOf } from './syncedInstance.ts'

export interface SyncConditionsOptions {
  instances: Store
  clock: Clock
  /** Checks the expressions of all instances. */
  runtime: () => Promise<Pick<ExpressionRuntime, 'check'>>
  /** Told of a configuration that cannot be used, each time one is written. */
  warn: (fields: Readonly<Record<string, string>>, message: string) => void
  report: (error: unknown) => void
}

const type = 'SyncConfigured'
/** What stands in the bytes of an instance that has a configuration, or had one. */
const words = ['"values":', `"${type}"`]

/** Shows in each instance whether the configuration of its syncing can be used, also while nobody uses its plane. An
 *  instance that says nothing of syncing has no such condition. */
export class SyncConditions {
  readonly #options: SyncConditionsOptions
  readonly #queue: WorkQueue
  #stopFollowing: (() => void) | undefined
  #isStopped = false

  constructor(options: SyncConditionsOptions) {
    this.#options = options
    const { clock, report } = options
    const work = (key: string) =>
      this.#check(key).catch((error: unknown) => {
        // What it works with ends with it.
        if (!this.#isStopped) throw error
      })
    this.#queue = new WorkQueue({ clock, report, concurrency: 1, work })
  }

  /** The instances have to be in their cache. */
  start(): void {
    const { cache } = this.#options.instances
    const consider = (entry: Entry | undefined): void => {
      if (entry !== undefined && words.some((word) => entry.bytes.includes(word))) {
        this.#queue.add(entry.key)
      }
    }
    this.#stopFollowing = cache.onChange(({ entry }) => consider(entry))
    for (const entry of cache.all()) consider(entry)
  }

  stop(): void {
    this.#isStopped = true
    this.#stopFollowing?.()
    this.#queue.stop()
  }

  async #check(key: string): Promise<void> {
    const instance = this.#options.instances.cache.get(key)?.object()
    if (instance === undefined) return
    const values = valuesOf(instance)
    const known = conditionsOf(instance).find((condition) => condition.type === type)
    const wanted = await this.#condition(values, known)
    if (wanted === undefined || this.#isStopped || isSame(known, wanted)) return
    const { name = '', namespace = '' } = instance.metadata
    if (wanted.status === 'False') {
      const fields = { instance: `${namespace}/${name}`, problem: wanted.message ?? '' }
      this.#options.warn(fields, 'a virtual cluster has a sync configuration that cannot be used')
    }
    await this.#write({ namespace, name }, { values, wanted })
  }

  /** Undefined: it says nothing of syncing, and never did. */
  async #condition(
    values: string,
    known: Condition | undefined,
  ): Promise<Omit<Condition, 'lastTransitionTime'> | undefined> {
    const { config, problems } = await readConfiguration(values, this.#options.runtime)
    if (problems.length > 0) {
      const message = problems.join('; ')
      return { type, status: 'False', severity: 'Error', reason: 'Invalid', message }
    }
    const isConfigured = known !== undefined || (isObject(config) && 'sync' in config)
    return isConfigured ? { type, status: 'True', reason: 'Valid' } : undefined
  }

  async #write(
    target: { namespace: string; name: string },
    { values, wanted }: { values: string; wanted: Omit<Condition, 'lastTransitionTime'> },
  ): Promise<void> {
    const { instances, clock } = this.#options
    const now = clock.now()
    const transform = (next: ApiObject): ApiObject => {
      // Another configuration is checked by itself.
      if (valuesOf(next) !== values) return next
      const conditions = withCondition(conditionsOf(next), wanted, now)
      return { ...next, status: { ...statusOf(next), conditions } }
    }
    try {
      await instances.update(target, { transform, strategy: reportedStatus }, systemContext())
    } catch (error) {
      if (!(error instanceof StatusError && error.reason === 'NotFound')) throw error
    }
  }
}

function isSame(
  known: Condition | undefined,
  wanted: Omit<Condition, 'lastTransitionTime'>,
): boolean {
  return known?.status === wanted.status && known.message === wanted.message
}

function statusOf(instance: ApiObject): { conditions?: Condition[] } {
  // The schema of the kind says what its status holds.
  return instance['status'] ?? {}
}

function conditionsOf(instance: ApiObject): Condition[] {
  return statusOf(instance).conditions ?? []
}
