import type { Clock, Timer } from '../../meta/clock.ts'
import { isDeepStrictEqual } from 'node:util'
import { inSteps, runPaced } from '../../meta/waiting/steps.ts'
import type { ApiObject, GroupResource } from '../../meta/types.ts'
import { encodeObject } from '../../registry/objectBytes.ts'
import { isRevisionConflict } from '../../registry/storageErrors.ts'
import {
  quantityString,
  sumQuantities,
  wholeQuantity,
  type ResourceQuantities,
} from '../resourceQuantities.ts'
import type { FollowedObjects } from '../followedObjects.ts'
import type { NewestObject, PlaneObjects } from '../planeObjects.ts'
import { quotasResource, quotaSpec } from './quota.ts'
import { inScopes } from './quotaScopes.ts'
import { kindOfName, usageOf } from './quotaUsage.ts'

export interface QuotaCounterOptions {
  objects: PlaneObjects
  /** Names of the quotas of each namespace. */
  quotas: FollowedObjects<string>
  clock: Clock
  /** Called with errors outside of requests. */
  report: (error: unknown) => void
}

/** Delay in milliseconds during which changes of a namespace are batched. */
const delayMs = 100

/** Minimum pause after a count, as a multiple of its duration. */
const restFactor = 10
const longestRestMs = 5_000

/**
 * Keeps the usage of all quotas up to date: recounts a namespace after its objects have changed.
 */
export class QuotaCounter {
  readonly #options: QuotaCounterOptions
  readonly #due = new Map<string, Timer>()
  #isStopped = false
  #restMs = 0

  constructor(options: QuotaCounterOptions) {
    this.#options = options
    options.objects.onChange((namespace) => this.#changed(namespace))
  }

  /** Counts the usage of all quotas; errors are reported. */
  start(namespaces: Iterable<string>): void {
    for (const namespace of namespaces) this.#schedule(namespace)
  }

  stop(): void {
    this.#isStopped = true
    for (const timer of this.#due.values()) timer.cancel()
    this.#due.clear()
  }

  #changed(namespace: string): void {
    if (this.#options.quotas.inNamespace(namespace).length > 0) this.#schedule(namespace)
  }

  #schedule(namespace: string): void {
    if (this.#isStopped || this.#due.has(namespace)) return
    const { clock, report } = this.#options
    const count = () => {
      this.#due.delete(namespace)
      void this.#count(namespace).catch((error: unknown) => {
        if (!this.#isStopped) report(error)
      })
    }
    this.#due.set(namespace, clock.setTimer(count, Math.max(delayMs, this.#restMs)))
  }

  async #count(namespace: string): Promise<void> {
    const began = performance.now()
    try {
      await this.#countOnce(namespace)
    } finally {
      // Namespaces with many objects are counted less often, which bounds the share of time spent
      // on counting.
      this.#restMs = Math.min((performance.now() - began) * restFactor, longestRestMs)
    }
  }

  async #countOnce(namespace: string): Promise<void> {
    const { quotas, objects } = this.#options
    const known = new Map<string, Promise<ApiObject[]>>()
    const listed = (kind: GroupResource) => {
      const key = `${kind.group}/${kind.resource}`
      const found = known.get(key) ?? objects.list(kind, namespace)
      known.set(key, found)
      return found
    }
    const newest = quotas.inNamespace(namespace).flatMap((name) => {
      return objects.newest(quotasResource, namespace, name) ?? []
    })
    // Waits until earlier charges are stored, so that the list below includes them.
    await Promise.all(newest.map(({ revision }) => objects.settled(revision)))
    for (const quota of newest) await this.#countOne(namespace, quota, listed)
  }

  /** Recounts one quota; a concurrent charge causes a conflict and another recount. */
  async #countOne(
    namespace: string,
    quota: NewestObject,
    listed: (kind: GroupResource) => Promise<ApiObject[]>,
  ): Promise<void> {
    const { objects } = this.#options
    const status = await statusOf(quota.object, listed)
    if (this.#isStopped || isDeepStrictEqual(status, quota.object['status'])) return
    try {
      const next = { ...quota.object, status }
      await objects.update(quota.key, encodeObject(next), quota.revision)
    } catch (error) {
      if (!isRevisionConflict(error)) throw error
      this.#schedule(namespace)
    }
  }
}

async function statusOf(
  quota: ApiObject,
  listed: (kind: GroupResource) => Promise<ApiObject[]>,
): Promise<Record<string, unknown>> {
  const spec = quotaSpec(quota)
  const { hard = {} } = spec
  const used: Record<string, string> = {}
  const sums = new Map<string, ResourceQuantities>()
  for (const name of Object.keys(hard)) {
    const kind = kindOfName(name)
    const key = `${kind.group}/${kind.resource}`
    let sum = sums.get(key)
    if (sum === undefined) {
      const own = (await listed(kind)).filter((object) => inScopes(spec, kind, object))
      const usages = await runPaced(inSteps(own, (object) => usageOf(kind, object)))
      sum = sumQuantities(...usages)
      sums.set(key, sum)
    }
    used[name] = quantityString(sum.get(name) ?? wholeQuantity(0))
  }
  return Object.keys(hard).length === 0 ? {} : { hard: { ...hard }, used }
}
