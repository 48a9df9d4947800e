import { partitionPoint } from '../meta/collections/partitionPoint.ts'
import { atRevision, jsonEventFrame, type EventType } from './objectFrame.ts'
import type { Entry } from './cacheEntry.ts'

/** A change of one object, shared by all watchers. `entry` is absent for a deletion, `previous` for a creation. */
export class CacheEvent {
  readonly revision: number
  readonly key: string
  readonly entry: Entry | undefined
  readonly previous: Entry | undefined
  #frames: Map<string, Buffer> | undefined

  constructor(change: {
    revision: number
    key: string
    entry: Entry | undefined
    previous: Entry | undefined
  }) {
    this.revision = change.revision
    this.key = change.key
    this.entry = change.entry
    this.previous = change.previous
  }

  get size(): number {
    return (this.entry?.bytes.length ?? 0) + (this.previous?.bytes.length ?? 0)
  }

  /** The object in an event of this type: the new one, or for DELETED the last content at this revision. */
  objectBytes(type: EventType): Buffer {
    const source = type === 'DELETED' ? this.previous : this.entry
    if (source === undefined) return Buffer.alloc(0)
    return type === 'DELETED' ? atRevision(source.bytes, this.revision) : source.bytes
  }

  /** The JSON frame for `type`, encoded once. */
  jsonFrame(type: EventType): Buffer {
    return this.frame(type, () => jsonEventFrame(type, this.objectBytes(type)))
  }

  /** A frame kept under `name`, encoded once. */
  frame(name: string, encode: () => Buffer): Buffer {
    this.#frames ??= new Map()
    let frame = this.#frames.get(name)
    if (frame === undefined) {
      frame = encode()
      this.#frames.set(name, frame)
    }
    return frame
  }
}

export interface RingLimits {
  maxEvents: number
  /** Maximum bytes of the objects that events refer to. */
  maxBytes: number
}

/** Minimum number of events, for watchers slightly behind, however little history is kept. */
const leastEvents = 100

/**
 * The newest changes of one resource. Positions count from the first event ever appended and never repeat, so that a
 * watcher is just a position.
 */
export class EventRing {
  readonly #limits: RingLimits
  #events: CacheEvent[] = []
  /**
   * Number of events at the start of #events that are already dropped: the array is cut in steps, not at every append.
   */
  #dropped = 0
  #firstPosition = 0
  #bytes = 0
  #floor: number

  /** Starts an empty ring; events after revision `floor` will be complete. */
  constructor(floor: number, limits: RingLimits) {
    this.#floor = floor
    this.#limits = limits
  }

  /** The revision after which the ring has every event. */
  get floor(): number {
    return this.#floor
  }

  /** The position of the oldest event kept. */
  get start(): number {
    return this.#firstPosition + this.#dropped
  }

  /** The position that the next event will have. */
  get end(): number {
    return this.#firstPosition + this.#events.length
  }

  append(event: CacheEvent): void {
    this.#events.push(event)
    this.#bytes += event.size
    while (this.end - this.start > this.#limits.maxEvents || this.#bytes > this.#limits.maxBytes) {
      if (this.end - this.start <= 1) break
      this.#dropOldest()
    }
  }

  /**
   * Drops events at or below this revision, except the newest ones; a client that requests dropped
   * events gets Expired.
   */
  dropThrough(revision: number): void {
    while (this.end - this.start > leastEvents) {
      if ((this.at(this.start)?.revision ?? Infinity) > revision) return
      this.#dropOldest()
    }
  }

  at(position: number): CacheEvent | undefined {
    return this.#events[position - this.#firstPosition]
  }

  /** The position of the first event after `revision`; undefined if the ring does not reach back that far. */
  positionAfter(revision: number): number | undefined {
    if (revision < this.#floor) return undefined
    return partitionPoint(
      this.start,
      this.end,
      (position) => (this.at(position)?.revision ?? 0) <= revision,
    )
  }

  /** Extends the ring back to `revision`; the caller knows that nothing changed in between. */
  reachBackTo(revision: number): void {
    if (revision < this.#floor) this.#floor = revision
  }

  #dropOldest(): void {
    const oldest = this.#events[this.#dropped]
    if (oldest === undefined) return
    this.#bytes -= oldest.size
    this.#floor = oldest.revision
    this.#dropped++
    if (this.#dropped < 1024 && this.#dropped * 2 < this.#events.length) return
    this.#events = this.#events.slice(this.#dropped)
    this.#firstPosition += this.#dropped
    this.#dropped = 0
  }
}
