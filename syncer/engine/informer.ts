import type { Clock, Random } from '../../apiserver/meta/clock.ts'
import {
  isPlaneError,
  type PlaneClient,
  type PlaneResource,
  type Selection,
  type WatchEvent,
} from '../client/planeClient.ts'
import { objectKey, revisionOf, type ObjectCache } from './objectCache.ts'
import { pause } from './pause.ts'
import { SyncFailure } from './syncFailure.ts'

const firstWaitMs = 50
const defaultLongestWaitMs = 10_000

export interface InformerOptions extends Selection {
  client: PlaneClient
  resource: PlaneResource
  cache: ObjectCache
  clock: Clock
  random: Random
  /** Maximum backoff; default 10,000. */
  longestWaitMs?: number
  report: (error: unknown) => void
}

/**
 * Keeps a cache in sync with its plane: a list, then a watch that is resumed after interruptions, and a new list only
 * if the plane no longer has the revision. Failures are retried with exponential backoff.
 * Source: Kubernetes API concepts, "Efficient detection of changes".
 */
export class Informer {
  readonly #options: InformerOptions
  readonly #stop = new AbortController()
  readonly #synced: Promise<void>
  #markSynced: () => void = () => undefined
  #resourceVersion: string | undefined
  #failures = 0
  #done: Promise<void> | undefined

  constructor(options: InformerOptions) {
    this.#options = options
    this.#synced = new Promise((resolve) => (this.#markSynced = resolve))
  }

  start(): void {
    this.#done ??= this.#run()
  }

  /** Resolves when the first list was applied, or after a stop. */
  get synced(): Promise<void> {
    return this.#synced
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    this.#markSynced()
    await this.#done
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        await this.#follow()
      } catch (error) {
        if (signal.aborted) return
        if (isPlaneError(error, 410)) this.#resourceVersion = undefined
        else await this.#recover(error)
      }
    }
  }

  async #follow(): Promise<void> {
    const { client, resource, namespace, name, cache } = this.#options
    const { signal } = this.#stop
    if (this.#resourceVersion === undefined) {
      const { items, resourceVersion } = await client.list(resource, { namespace, name }, signal)
      // Lists omit the kind of their items.
      const { apiVersion, kind } = resource
      cache.replaceAll(
        items.map((item) => ({ ...item, apiVersion, kind })),
        resourceVersion,
      )
      this.#resourceVersion = resourceVersion
      this.#markSynced()
    }
    const from = { namespace, name, resourceVersion: this.#resourceVersion, signal }
    const before = this.#resourceVersion
    await client.watch(resource, from, (event) => this.#take(event))
    // A watch that keeps ending at once must not become a busy loop.
    if (this.#resourceVersion === before) await this.#wait()
  }

  #take({ type, object }: WatchEvent): void {
    if (this.#stop.signal.aborted) return
    const { cache } = this.#options
    this.#failures = 0
    if (type === 'DELETED') cache.remove(objectKey(object), revisionOf(object))
    else if (type !== 'BOOKMARK') cache.accept(object)
    this.#resourceVersion = revisionOf(object)
  }

  async #recover(error: unknown): Promise<void> {
    const { resource, namespace = '', name = '', report } = this.#options
    report(new SyncFailure({ kind: resource.kind, namespace, name }, error))
    await this.#wait()
  }

  async #wait(): Promise<void> {
    const { clock, random, longestWaitMs = defaultLongestWaitMs } = this.#options
    const longest = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(this.#failures, 12))
    this.#failures += 1
    await pause(clock, longest * (0.5 + random.fraction() / 2), this.#stop.signal)
  }
}
