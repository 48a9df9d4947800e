import type { ExpressionRuntime } from '../../../syncer/expressions/expressionRuntime.ts'
import { isObject } from '../../meta/json/isObject.ts'
import type { Clock } from '../../meta/clock.ts'
import type { Condition } from '../../meta/condition.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { Store } from '../../registry/store.ts'
import type { Entry } from '../../watch/cacheEntry.ts'
import {
  conditionOf,
  InstanceQueue,
  isSameCondition,
  showCondition,
  type WantedCondition,
} from './instanceConditions.ts'
import { readConfiguration, valuesOf } from '../syncedInstance.ts'

export interface SyncConditionsOptions {
  instances: Store
  clock: Clock
  /** Checks the expressions of all instances. */
  runtime: () => Promise<Pick<ExpressionRuntime, 'check'>>
  /** Called with each new unusable configuration. */
  warn: (fields: Readonly<Record<string, string>>, message: string) => void
  report: (error: unknown) => void
}

const type = 'SyncConfigured'
/** Every instance with a present or past configuration contains one of these strings. */
const words = ['"values":', `"${type}"`]

/**
 * Shows in each instance whether its sync configuration is usable, even while its plane is idle. An instance without
 * such a configuration has no such condition.
 */
export class SyncConditions {
  readonly #options: SyncConditionsOptions
  readonly #queue: InstanceQueue
  #stopFollowing: (() => void) | undefined

  constructor(options: SyncConditionsOptions) {
    this.#options = options
    this.#queue = new InstanceQueue(options, (key) => this.#check(key))
  }

  /** Starts; the instances have to be in their cache. */
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
    this.#stopFollowing?.()
    this.#queue.stop()
  }

  async #check(key: string): Promise<void> {
    const instance = this.#options.instances.cache.get(key)?.object()
    if (instance === undefined) return
    const values = valuesOf(instance)
    const known = conditionOf(instance, type)
    const wanted = await this.#condition(values, known)
    if (wanted === undefined || this.#queue.isStopped || isSameCondition(known, wanted)) return
    const { name = '', namespace = '' } = instance.metadata
    const { status, message: problem } = wanted
    if (problem !== undefined) {
      const what = status === 'False' ? 'that cannot be used' : 'with a likely mistake'
      const fields = { instance: `${namespace}/${name}`, problem }
      this.#options.warn(fields, `a virtual cluster has a sync configuration ${what}`)
    }
    const holds = (next: ApiObject) => valuesOf(next) === values
    await showCondition(this.#options, { namespace, name }, { wanted, holds })
  }

  /** Condition of an instance; undefined: it has never had a sync configuration. */
  async #condition(
    values: string,
    known: Condition | undefined,
  ): Promise<WantedCondition | undefined> {
    const { config, problems, warnings } = await readConfiguration(values, this.#options.runtime)
    if (problems.length > 0) {
      const message = problems.join('; ')
      return { type, status: 'False', severity: 'Error', reason: 'Invalid', message }
    }
    const isConfigured = known !== undefined || (isObject(config) && 'sync' in config)
    const message = warnings.length === 0 ? {} : { message: warnings.join('; ') }
    return isConfigured ? { type, status: 'True', reason: 'Valid', ...message } : undefined
  }
}
