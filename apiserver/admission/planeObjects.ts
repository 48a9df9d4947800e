import type { ApiObject, GroupResource } from '../meta/types.ts'
import { inSteps, runPaced } from '../meta/waiting/steps.ts'
import { decodeObject } from '../registry/objectBytes.ts'
import type { Storage, Subscription, ValueTemplate } from '../storage/storage.ts'
import { FollowedObjects } from './followedObjects.ts'

/** An object in its newest state. */
export interface NewestObject {
  object: ApiObject
  key: string
  revision: number
}

/**
 * Stored objects of a plane for admission: single objects in their newest state, including pending
 * writes, and a few kinds that are cached in memory.
 */
export class PlaneObjects {
  readonly #storage: Storage
  readonly #planePrefix: string
  readonly #followed = new Map<string, FollowedObjects<unknown>>()
  #subscription: Subscription | undefined
  #isStopped = false

  constructor(storage: Storage, planePrefix: string) {
    this.#storage = storage
    this.#planePrefix = planePrefix
  }

  get(resource: GroupResource, namespace: string, name: string): ApiObject | undefined {
    const place = namespace === '' ? name : `${namespace}/${name}`
    const stored = this.#storage.newest(this.prefixOf(resource) + place)
    return stored && decodeObject(stored.value)
  }

  /** Object with its key and revision, for a subsequent write. */
  newest(resource: GroupResource, namespace: string, name: string): NewestObject | undefined {
    const stored = this.#storage.newest(`${this.prefixOf(resource)}${namespace}/${name}`)
    return (
      stored && { object: decodeObject(stored.value), key: stored.key, revision: stored.revision }
    )
  }

  /** Resolves when writes up to a revision are stored. */
  settled(revision: number): Promise<void> {
    return this.#storage.settled(revision)
  }

  /**
   * Resolves when the pending write of an object has completed; undefined: no pending write can
   * conflict with a write of another server.
   */
  undecided({ key, revision }: NewestObject): Promise<void> | undefined {
    const isPending = this.#storage.isShared && this.#storage.pendingRevision(key) > 0
    return isPending ? this.#storage.settled(revision) : undefined
  }

  /**
   * Replaces an object in the caller's turn of the event loop. @throws StorageError Conflict if
   * `revision` is not its newest.
   */
  update(key: string, value: ValueTemplate, revision: number): Promise<unknown> {
    return this.#storage.update(key, value, revision)
  }

  /**
   * Calls the listener with the namespace of every change, which is empty for cluster-scoped
   * objects.
   */
  onChange(listener: (namespace: string) => void): void {
    this.#listener = listener
  }
  #listener: ((namespace: string) => void) | undefined

  /** Acknowledged objects of a kind in a namespace. */
  async list(resource: GroupResource, namespace: string): Promise<ApiObject[]> {
    const prefix = `${this.prefixOf(resource)}${namespace === '' ? '' : `${namespace}/`}`
    const { items } = await this.#storage.list({ prefix })
    // Decoding thousands of objects in steps lets other requests run in between.
    return runPaced(inSteps(items, ({ value }) => decodeObject(value)))
  }

  /** Maintains a value derived from each object of a kind; must be called before the start. */
  follow<Made>(resource: GroupResource, make: (object: ApiObject) => Made): FollowedObjects<Made> {
    const followed = new FollowedObjects(make)
    this.#followed.set(this.prefixOf(resource), followed)
    return followed
  }

  /** Resolves when all stored objects of the followed kinds are known. */
  async start(): Promise<void> {
    let since: number | undefined
    for (const [prefix, followed] of this.#followed) {
      const { items, revision } = await this.#storage.list({ prefix })
      for (const { key, value } of items) followed.set(key.slice(prefix.length), value)
      since ??= revision
    }
    this.#subscription = await this.#storage.watch(
      this.#planePrefix,
      since ?? this.#storage.revision,
      (changes) => {
        for (const { key, value } of changes) this.#changed(key, value)
      },
    )
    if (this.#isStopped) this.#subscription.close()
  }

  stop(): void {
    this.#isStopped = true
    this.#subscription?.close()
  }

  prefixOf({ group, resource }: GroupResource): string {
    return `${this.#planePrefix}${group === '' ? 'core' : group}/${resource}/`
  }

  #changed(key: string, value: Buffer | undefined): void {
    const group = key.indexOf('/', this.#planePrefix.length)
    const end = key.indexOf('/', group + 1) + 1
    this.#followed.get(key.slice(0, end))?.set(key.slice(end), value)
    const slash = key.indexOf('/', end)
    if (slash > 0) this.#listener?.(key.slice(end, slash))
  }
}
