import type { Clock, Timer } from '../meta/clock.ts'
import type { FrameEncoder } from './frameEncoder.ts'
import type { Sink } from './sink.ts'
import { Watcher, type WatcherOptions, type WatchSource, type WatchStart } from './watcher.ts'
import { WatchClass } from './watchClass.ts'
import { selectionKey, type Selection } from './watchFilter.ts'

const tickMs = 1_000
/** A flush that took longer than this is followed by a pause of its length, so that events gather and each watcher gets
 *  fewer, larger writes. */
const longFlushMs = 2
const maxPauseMs = 10

export interface WatchRequest {
  selection: Selection
  encoder: FrameEncoder
  options: WatcherOptions
  start: WatchStart
}

/** The watchers of one resource. Writers never wait for them: a commit only marks that there is something to flush. */
export class WatchHub {
  readonly #source: WatchSource
  readonly #clock: Clock
  readonly #watchers = new Set<Watcher>()
  readonly #classes = new Map<string, WatchClass>()
  readonly #leave = (watcher: Watcher): void => {
    this.#watchers.delete(watcher)
    const { watchClass } = watcher
    if (--watchClass.users === 0) this.#classes.delete(watchClass.key)
  }
  #isFlushPending = false
  #isClosed = false
  #lastFlushMs = 0
  #ticker: Timer | undefined
  #tickAt = Infinity
  #pause: Timer | undefined

  constructor(source: WatchSource) {
    this.#source = source
    this.#clock = source.clock
  }

  get size(): number {
    return this.#watchers.size
  }

  /** Begins a watch in the caller's turn. */
  subscribe(request: WatchRequest, sink: Sink): Watcher {
    const key = `${request.encoder.key} ${selectionKey(request.selection)}`
    const watcher = new Watcher(this.#source, this.#join(key, request), sink, request.options)
    this.#watchers.add(watcher)
    watcher.onClose(this.#leave)
    this.#tickBy(Math.min(this.#clock.now() + tickMs, watcher.endsAt))
    watcher.start(request.start)
    if (this.#isClosed) watcher.end()
    return watcher
  }

  /** There are new events in the ring. */
  notify(): void {
    if (this.#isFlushPending || this.#watchers.size === 0) return
    this.#isFlushPending = true
    if (this.#lastFlushMs <= longFlushMs) {
      setImmediate(() => this.#flush())
      return
    }
    const pause = Math.min(maxPauseMs, this.#lastFlushMs)
    this.#pause = this.#clock.setTimer(() => this.#flush(), pause)
  }

  /** Ends every stream, and later ones at once. */
  close(): void {
    this.#isClosed = true
    for (const watcher of [...this.#watchers]) {
      // What was acknowledged is told before the end.
      watcher.pump()
      watcher.end()
    }
    this.#ticker?.cancel()
    this.#pause?.cancel()
  }

  #flush(): void {
    this.#isFlushPending = false
    const began = this.#clock.now()
    for (const watcher of this.#watchers) watcher.pump()
    this.#lastFlushMs = this.#clock.now() - began
  }

  #tick(): void {
    this.#tickAt = Infinity
    for (const watcher of this.#watchers) watcher.tick()
    if (this.#watchers.size === 0) return
    let next = this.#clock.now() + tickMs
    for (const { endsAt } of this.#watchers) if (endsAt < next) next = endsAt
    this.#tickBy(next)
  }

  /** One timer for all watchers. */
  #tickBy(time: number): void {
    if (this.#tickAt <= time || this.#isClosed) return
    this.#ticker?.cancel()
    this.#tickAt = time
    this.#ticker = this.#clock.setTimer(() => this.#tick(), time - this.#clock.now())
  }

  #join(key: string, { selection, encoder }: WatchRequest): WatchClass {
    let shared = this.#classes.get(key)
    if (shared === undefined) {
      shared = new WatchClass({ key, selection, encoder, fieldsOf: this.#source.fieldsOf })
      this.#classes.set(key, shared)
    }
    shared.users++
    return shared
  }
}
