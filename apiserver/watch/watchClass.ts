import type { Histogram } from '../meta/collections/histogram.ts'
import type { FieldsOf } from './cacheEntry.ts'
import type { EventRing } from './eventRing.ts'
import type { FrameEncoder } from './frameEncoder.ts'
import { frameSizes } from './watchCounts.ts'
import { eventTypeFor, type Selection } from './watchFilter.ts'

const maxBytesAtOnce = 1024 * 1024
/** Time in ms after which a run ends: a selector may decode large objects, and an encoder may search them. */
const maxMs = 8

/** Frames for the events starting at one position. */
export interface FrameRun {
  /** Frames; empty: no event matches this class. */
  frames: Buffer
  /** The position after the last event examined. */
  next: number
  /** Sizes of the frames in bytes. */
  sizes: Histogram
}

export interface WatchClassOptions {
  key: string
  selection: Selection
  encoder: FrameEncoder
  fieldsOf: FieldsOf
}

/**
 * Watchers with the same selection and encoding. Watchers at the same position get the same buffer.
 */
export class WatchClass {
  /** Identifies the class. */
  readonly key: string
  /** Number of its watchers. */
  users = 0
  readonly selection: Selection
  readonly encoder: FrameEncoder
  readonly #fieldsOf: FieldsOf
  #runs = new Map<number, FrameRun>()
  #runsEnd = -1

  constructor({ key, selection, encoder, fieldsOf }: WatchClassOptions) {
    this.key = key
    this.selection = selection
    this.encoder = encoder
    this.#fieldsOf = fieldsOf
  }

  /** Frames of the ring's events starting at `position`: about a megabyte, or the work of a few milliseconds. */
  run(ring: EventRing, position: number): FrameRun {
    if (this.#runsEnd !== ring.end) {
      this.#runs = new Map()
      this.#runsEnd = ring.end
    }
    let run = this.#runs.get(position)
    if (run === undefined) {
      run = this.#encode(ring, position, ring.end, false)
      this.#runs.set(position, run)
    }
    return run
  }

  /** Like run(), for a stream without events so far: up to and including the first event. */
  firstRun(ring: EventRing, position: number): FrameRun {
    return this.#encode(ring, position, ring.end, true)
  }

  #encode(ring: EventRing, from: number, to: number, isFirst: boolean): FrameRun {
    const frames: Buffer[] = []
    const sizes = frameSizes()
    const until = performance.now() + maxMs
    let position = from
    while (position < to && sizes.sum < maxBytesAtOnce) {
      if (position > from && performance.now() >= until) break
      const event = ring.at(position++)
      const type = event && eventTypeFor(this.selection, event, this.#fieldsOf)
      if (event === undefined || type === undefined) continue
      const frame = this.encoder.event(type, event, isFirst)
      frames.push(frame)
      sizes.add(frame.length)
      if (isFirst) break
    }
    const [only] = frames
    const joined = frames.length === 1 && only ? only : Buffer.concat(frames)
    return { frames: joined, next: position, sizes }
  }
}
