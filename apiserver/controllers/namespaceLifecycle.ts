import { ignoreNotFound } from '../registry/ignoring.ts'
import { formatTime, type Clock, type Timer } from '../meta/clock.ts'
import type { ApiObject } from '../meta/types.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import { subresourceStrategy, type ResourceDefinition } from '../registry/resource.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'
import { systemContext } from '../registry/systemContext.ts'
import {
  deletionConditions,
  type NamespaceCondition,
  type RemainingContent,
} from './namespaceConditions.ts'

const retryMs = 1_000
const deletesAtOnce = 200

export interface NamespaceLifecycleOptions {
  namespaces: Store
  resources: ResourceSet
  storeOf: (resource: ResourceDefinition) => Store
  clock: Clock
  /** The finalizer in spec.finalizers that protects the content of a namespace. */
  finalizer: string
  /** Called with errors that will be retried. */
  report: (error: unknown) => void
}

/**
 * Empties namespaces that are being deleted, then finalizes them. Resumes after a restart, and
 * retries until other controllers have removed their finalizers from the content.
 */
export class NamespaceLifecycle {
  readonly #options: NamespaceLifecycleOptions
  readonly #running = new Set<string>()
  readonly #retries = new Map<string, Timer>()
  #isStopped = false
  #stopFollowing: (() => void) | undefined

  constructor(options: NamespaceLifecycleOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { cache } = this.#options.namespaces
    await cache.warm()
    this.#stopFollowing = cache.onChange(({ entry }) => {
      if (entry !== undefined) this.#consider(entry.object())
    })
    for (const entry of cache.all()) this.#consider(entry.object())
  }

  stop(): void {
    this.#isStopped = true
    this.#stopFollowing?.()
    for (const timer of this.#retries.values()) timer.cancel()
  }

  #consider({ metadata }: ApiObject): void {
    const { name = '', deletionTimestamp } = metadata
    if (deletionTimestamp === undefined || this.#running.has(name) || this.#isStopped) return
    this.#running.add(name)
    void this.#terminate(name)
      .catch((error: unknown) => {
        this.#options.report(error)
        return false
      })
      .then((isDone) => {
        this.#running.delete(name)
        if (!isDone) this.#retry(name)
      })
  }

  #retry(name: string): void {
    if (this.#isStopped || this.#retries.has(name)) return
    const timer = this.#options.clock.setTimer(() => {
      this.#retries.delete(name)
      const { namespaces } = this.#options
      const entry = namespaces.cache.get(namespaces.keyOf({ namespace: '', name }))
      if (entry !== undefined) this.#consider(entry.object())
    }, retryMs)
    this.#retries.set(name, timer)
  }

  /** Empties and finalizes a namespace; returns whether that is complete. */
  async #terminate(name: string): Promise<boolean> {
    const { resources, storeOf } = this.#options
    const content = { resources: new Map<string, number>(), finalizers: new Map<string, number>() }
    // Versions converted by a webhook share a store, which does not call the webhook.
    for (const resource of new Set(resources.all().map((one) => one.unconverted ?? one))) {
      if (!resource.namespaced || resource.answers !== undefined) continue
      const left = await deleteContent(storeOf(resource), name)
      // After a stop, caches are empty even if objects are stored.
      if (this.#isStopped) return true
      if (left.length === 0) continue
      content.resources.set(`${resource.plural}.${resource.group}`, left.length)
      for (const finalizer of left.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
        content.finalizers.set(finalizer, (content.finalizers.get(finalizer) ?? 0) + 1)
      }
    }
    if (content.resources.size > 0) {
      await this.#tell(name, content)
      return false
    }
    await this.#letGo(name)
    return true
  }

  /** Reports the remaining content in the namespace's status. */
  async #tell(name: string, content: RemainingContent): Promise<void> {
    const { namespaces, clock } = this.#options
    const strategy = subresourceStrategy(namespaces.resource, 'status')
    if (strategy === undefined) return
    const transform = (old: ApiObject): ApiObject => {
      if (old.metadata.deletionTimestamp === undefined) return old
      // Guaranteed by the schema of namespaces.
      const status = old['status'] as { conditions?: NamespaceCondition[] } | undefined
      const before = status?.conditions ?? []
      const conditions = deletionConditions(before, content, formatTime(clock.now()))
      return { ...old, status: { ...status, conditions } }
    }
    const request = { transform, strategy }
    await namespaces.update({ namespace: '', name }, request, systemContext()).catch(ignoreNotFound)
  }

  async #letGo(name: string): Promise<void> {
    const { namespaces, finalizer } = this.#options
    const strategy = subresourceStrategy(namespaces.resource, 'finalize')
    if (strategy === undefined) return
    const transform = (old: ApiObject): ApiObject => {
      // Another client has finalized the namespace and created it again.
      if (old.metadata.deletionTimestamp === undefined) return old
      // Guaranteed by the schema of namespaces.
      const spec = old['spec'] as { finalizers?: string[] }
      const left = (spec.finalizers ?? []).filter((other) => other !== finalizer)
      const { finalizers: _, ...rest } = spec
      return { ...old, spec: left.length === 0 ? rest : { ...rest, finalizers: left } }
    }
    const request = { transform, strategy }
    await namespaces.update({ namespace: '', name }, request, systemContext()).catch(ignoreNotFound)
  }
}

/** Deletes the content of the namespace; returns the objects that remain. */
async function deleteContent(store: Store, namespace: string): Promise<ApiObject[]> {
  await store.cache.warm()
  const keyPrefix = `${store.keyPrefix}${namespace}/`
  const keys = [...store.cache.all(keyPrefix)].map((entry) => entry.key)
  const remaining: ApiObject[] = []
  for (let at = 0; at < keys.length; at += deletesAtOnce) {
    const deletions = keys.slice(at, at + deletesAtOnce).map(async (key) => {
      const target: ObjectName = { namespace, name: key.slice(keyPrefix.length) }
      const deleted = await store.delete(target, {}, systemContext()).catch(ignoreNotFound)
      return deleted === undefined || deleted.isGone ? [] : [deleted.object]
    })
    remaining.push(...(await Promise.all(deletions)).flat())
  }
  return remaining
}
