import type { Clock, Timer } from '../meta/clock.ts'
import type { ApiObject } from '../meta/types.ts'
import { decodeObject } from '../registry/objectBytes.ts'
import { isRevisionConflict } from '../registry/storageErrors.ts'
import { StorageError } from '../storage/errors.ts'
import type { Change, Storage, StoredValue, Subscription } from '../storage/storage.ts'

export interface EventExpiryOptions {
  storage: Storage
  clock: Clock
  /** Time in milliseconds to keep an event after its last write. */
  ttlMs: number
  /** Called with errors of deletions. */
  report: (error: unknown) => void
}

interface KnownEvent {
  writtenAt: number
  revision: number
}

/** Keys of events in any plane: `<plane>/core/events/<namespace>/<name>`. */
const eventKey = /^(?:\/management|\/planes\/[^/]+)\/core\/events\//
const planeOfKey = /^(?:\/management|\/planes\/[^/]+)\//
const pageSize = 500
/** Minimum interval in milliseconds between runs, so that deletions are batched. */
const leastWaitMs = 1_000
const retryMs = 60_000

/**
 * Deletes events that were not written for a while, in all planes, whether or not they are open. It
 * works on the storage, like leases in etcd. Known events are ordered by their last write, so that
 * one timer for the oldest event suffices and nothing is searched.
 * Source: the flag --event-ttl of the real server.
 */
export class EventExpiry {
  readonly #options: EventExpiryOptions
  /** Last writes by key, oldest first. */
  #known = new Map<string, KnownEvent>()
  #subscription: Subscription | undefined
  #timer: Timer | undefined
  #isStopped = false

  constructor(options: EventExpiryOptions) {
    this.#options = options
  }

  /** Follows all events, and finds existing events. */
  async start(): Promise<void> {
    const { storage, clock } = this.#options
    this.#subscription = await storage.watch('', storage.revision, (changes) =>
      changes.forEach((change) => this.#changed(change)),
    )
    const found: [string, KnownEvent][] = []
    for await (const { key, value, revision } of this.#stored()) {
      found.push([key, { writtenAt: writtenAt(decodeObject(value), clock.now()), revision }])
    }
    found.sort(([, a], [, b]) => a.writtenAt - b.writtenAt)
    // Events written in the meantime are newer than all events found.
    this.#known = new Map([...found.filter(([key]) => !this.#known.has(key)), ...this.#known])
    this.#wait()
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
    this.#subscription?.close()
  }

  #changed({ key, value, revision }: Change): void {
    if (!key.includes('/core/events/') || !eventKey.test(key)) return
    this.#known.delete(key)
    if (value === undefined) return
    const now = this.#options.clock.now()
    this.#known.set(key, { writtenAt: now, revision })
    if (this.#timer === undefined || (this.#oldest()?.writtenAt ?? now) > now) this.#wait()
  }

  /** Reads one plane after another, page by page, and yields to requests in between. */
  async *#stored(): AsyncIterable<StoredValue> {
    const { storage } = this.#options
    for (let start = '/'; ;) {
      const { items } = await storage.list({ prefix: '/', start }, { limit: 1 })
      const [plane] = planeOfKey.exec(items[0]?.key ?? '') ?? []
      if (plane === undefined) return
      yield* this.#storedIn(`${plane}core/events/`)
      // The first key after all keys with the plane's prefix.
      start = `${plane.slice(0, -1)}0`
    }
  }

  async *#storedIn(prefix: string): AsyncIterable<StoredValue> {
    for (let start = prefix; ;) {
      if (this.#isStopped) return
      const { items, more } = await this.#options.storage.list(
        { prefix, start },
        { limit: pageSize },
      )
      yield* items
      if (!more) return
      start = `${items.at(-1)?.key ?? ''}\0`
      await new Promise<void>((resolve) => this.#options.clock.setTimer(resolve, 0))
    }
  }

  /** Sets the timer for the oldest event. */
  #wait(atLeastMs = leastWaitMs): void {
    this.#timer?.cancel()
    this.#timer = undefined
    const oldest = this.#oldest()
    if (oldest === undefined || this.#isStopped) return
    const { clock, ttlMs } = this.#options
    if (oldest.writtenAt > clock.now()) this.#clockWasSetBack()
    const delay = Math.max(atLeastMs, oldest.writtenAt + ttlMs - clock.now())
    this.#timer = clock.setTimer(() => void this.#deleteDue(), delay)
  }

  #oldest(): KnownEvent | undefined {
    const [oldest] = this.#known.values()
    return oldest
  }

  /** Limits recorded times to the current time, after the clock was set back. */
  #clockWasSetBack(): void {
    const now = this.#options.clock.now()
    for (const known of this.#known.values()) known.writtenAt = Math.min(known.writtenAt, now)
  }

  async #deleteDue(): Promise<void> {
    const { clock, ttlMs, report } = this.#options
    const due: Promise<void>[] = []
    for (const [key, { writtenAt: at, revision }] of this.#known) {
      if (at + ttlMs > clock.now() || due.length === pageSize) break
      due.push(this.#delete(key, revision))
    }
    try {
      await Promise.all(due)
      this.#wait(due.length === pageSize ? 0 : leastWaitMs)
    } catch (error) {
      if (this.#isStopped) return
      report(error)
      this.#wait(retryMs)
    }
  }

  /**
   * Deletes an event. If it was written or deleted in the meantime, that change is handled
   * separately.
   */
  async #delete(key: string, revision: number): Promise<void> {
    try {
      await this.#options.storage.delete(key, revision)
    } catch (error) {
      if (!isRevisionConflict(error) && !isGone(error)) throw error
    }
    if (this.#known.get(key)?.revision === revision) this.#known.delete(key)
  }
}

function isGone(error: unknown): boolean {
  return error instanceof StorageError && error.code === 'KeyNotFound'
}

/** The newest time that the server itself wrote into an object; times in the future are ignored. */
function writtenAt({ metadata }: ApiObject, now: number): number {
  const { creationTimestamp = '', managedFields = [] } = metadata
  const times = [creationTimestamp, ...managedFields.map(({ time = '' }) => time)]
  const known = times.map((time) => Date.parse(time)).filter((time) => time <= now)
  return known.length === 0 ? now : Math.max(...known)
}
