import type { Clock } from '../meta/clock.ts'
import { CallbackError, enterCallback } from '../meta/waiting/guarded.ts'
import type { Change, Storage, Subscription } from '../storage/storage.ts'
import { BlockList } from './blockList.ts'
import { CacheSnapshot, endOfPrefix } from './cacheSnapshot.ts'
import { Entry, type FieldsOf } from './cacheEntry.ts'
import { CacheEvent, EventRing, type RingLimits } from './eventRing.ts'
import { KeptSnapshots } from './keptSnapshots.ts'
import { listItems } from './joinEntries.ts'
import type { Sink } from './sink.ts'
import type { Watcher } from './watcher.ts'
import { WatchCounts } from './watchCounts.ts'
import { WatchHub, type WatchRequest } from './watchHub.ts'

export interface WatchCacheOptions {
  storage: Storage
  clock: Clock
  /** Prefix of all keys of the resource, and of no others. Ends with a slash. */
  prefix: string
  fieldsOf: FieldsOf
  /** Bytes of kind and apiVersion at an object's start, omitted from list items; 0: items keep them. */
  typeLength: number
  limits: RingLimits
  /** Called with errors of listeners, and with errors that concern no single watcher. */
  report: (error: unknown) => void
}

/**
 * Limits of snapshots for paginated lists. A client that takes longer between two pages is served from storage's
 * history.
 */
const forPages = { maxSnapshots: 16, maxBytes: 64 * 1024 * 1024, maxAgeMs: 120_000 }

/**
 * The committed objects of one resource in memory, and its newest changes. It follows the storage in the turn in which
 * a write is acknowledged, so a client reads its own writes. Created empty; warm() fills it.
 */
export class WatchCache {
  readonly counts = new WatchCounts()
  readonly #options: WatchCacheOptions
  readonly #entries = new BlockList()
  readonly #kept = new KeptSnapshots(forPages)
  #ring: EventRing
  #hub: WatchHub
  #warm: Promise<void> | undefined
  #subscription: Subscription | undefined
  #isWarm = false
  readonly #listeners = new Set<(event: CacheEvent) => void>()

  constructor(options: WatchCacheOptions) {
    this.#options = options
    this.#ring = new EventRing(0, options.limits)
    this.#hub = this.#newHub()
  }

  get isWarm(): boolean {
    return this.#isWarm
  }

  get size(): number {
    return this.#entries.size
  }

  /** Number of changes dispatched to watchers, present or not. */
  get dispatchedCount(): number {
    return this.#ring.end
  }

  get watcherCount(): number {
    return this.#hub.size
  }

  /** The revision up to which the cache has every change. */
  get revision(): number {
    return this.#options.storage.revision
  }

  /** Fills the cache at the first call; resolves when it is filled. */
  warm(): Promise<void> {
    this.#warm ??= this.#fill().catch((error: unknown) => {
      this.#warm = undefined
      throw error
    })
    return this.#warm
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)
  }

  /** The current objects, at `revision`: call it in the turn in which the revision is read. */
  snapshot(): CacheSnapshot {
    return new CacheSnapshot(this.#entries.snapshot(), this.#options)
  }

  /** The objects at `revision`, a committed one; undefined: the cache does not have it. */
  snapshotAt(revision: number): CacheSnapshot | undefined {
    if (this.isUnchangedSince(revision)) return this.snapshot()
    this.#tidy()
    const blocks = this.#kept.at(revision, this.#options.clock.now())
    return blocks && new CacheSnapshot(blocks, this.#options)
  }

  /** Keeps the current state for further pages of a list, for a while and within bounds. */
  keepForPages(): void {
    const { clock, storage } = this.#options
    this.#kept.keep(this.#entries.snapshot(), {
      since: this.#ring.at(this.#ring.end - 1)?.revision ?? this.#ring.floor,
      revision: storage.revision,
      nowMs: clock.now(),
    })
  }

  /** Every entry under a key prefix, or of the resource, in key order. A live view: use it within one turn. */
  all(keyPrefix = this.#options.prefix): Iterable<Entry> {
    return this.#entries.range(keyPrefix, endOfPrefix(keyPrefix))
  }

  /**
   * Calls `listener` for each change, in order, in the turn in which it is acknowledged. Its errors are reported and do
   * not affect other listeners. Returns a function that unsubscribes.
   */
  onChange(listener: (event: CacheEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Number of entries at `revision`; undefined: the ring does not reach back that far. */
  countAt(revision: number, keyPrefix: string, from: string): number | undefined {
    const start = this.#ring.positionAfter(revision)
    if (start === undefined) return undefined
    let count = this.#entries.count(from, endOfPrefix(keyPrefix))
    const seen = new Set<string>()
    for (let position = start; position < this.#ring.end; position++) {
      const event = this.#ring.at(position)
      if (event === undefined || seen.has(event.key)) continue
      if (event.key < from || !event.key.startsWith(keyPrefix)) continue
      seen.add(event.key)
      if (event.previous !== undefined) count++
      if (this.#entries.get(event.key) !== undefined) count--
    }
    return count
  }

  /** The list items of entries, which need not be the newest. */
  items(entries: readonly Entry[]): Buffer[] {
    return listItems(entries, this.#options.typeLength)
  }

  /** Reports whether nothing of this resource changed after `revision`, so that its state then is its current state. */
  isUnchangedSince(revision: number): boolean {
    return this.#ring.positionAfter(revision) === this.#ring.end
  }

  /** Starts a watch in the caller's turn. The cache must be warm. */
  subscribe(request: WatchRequest, sink: Sink): Watcher {
    return this.#hub.subscribe(request, sink)
  }

  /**
   * Ends every watch and stops following the storage. The objects are kept for lists in progress.
   */
  close(): void {
    this.#subscription?.close()
    this.#hub.close()
  }

  async #fill(): Promise<void> {
    const { storage, prefix, limits } = this.#options
    const { items, revision } = await storage.list({ prefix })
    this.#entries.load(items.map((stored) => new Entry(stored)))
    this.#ring = new EventRing(revision, limits)
    this.#hub = this.#newHub()
    let isLost = false
    const lost = () => {
      isLost = true
      if (this.#isWarm) this.#forget()
    }
    const apply = (changes: readonly Change[]) => this.#apply(changes)
    this.#subscription = await storage.watch(prefix, revision, apply, lost)
    if (isLost) return this.#fill()
    this.#isWarm = true
  }

  /** Ends every watch; the next use fills the cache again. */
  #forget(): void {
    this.close()
    this.#isWarm = false
    this.#warm = undefined
  }

  #newHub(): WatchHub {
    const { storage, prefix, clock, fieldsOf, report } = this.#options
    return new WatchHub({
      ring: this.#ring,
      fieldsOf,
      clock,
      counts: this.counts,
      report,
      revision: () => storage.revision,
      changes: (since, limit) => storage.changes(prefix, since, limit),
    })
  }

  #tell(listener: (event: CacheEvent) => void, event: CacheEvent): void {
    try {
      enterCallback('watchCache.onChange')
      listener(event)
    } catch (error) {
      this.#options.report(new CallbackError('watchCache.onChange', error))
    }
  }

  #apply(changes: readonly Change[]): void {
    for (const { key, revision, value } of changes) {
      const previous = this.#entries.get(key)
      const entry = value && new Entry({ key, revision, value })
      if (entry === undefined) this.#entries.delete(key)
      else this.#entries.set(entry)
      if (previous !== undefined) this.#kept.replaced(previous)
      const event = new CacheEvent({ key, revision, entry, previous })
      this.#ring.append(event)
      for (const listener of this.#listeners) this.#tell(listener, event)
    }
    this.#ring.dropThrough(this.#options.storage.compactedRevision)
    this.#tidy()
    this.#hub.notify()
  }

  #tidy(): void {
    if (this.#kept.size === 0) return
    const { clock, storage } = this.#options
    this.#kept.tidy(clock.now(), storage.compactedRevision)
  }
}
