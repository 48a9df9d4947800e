import { nextTick } from 'node:process'
import type { Clock, Timer } from '../meta/clock.ts'
import type { FrameEncoder } from './frameEncoder.ts'
import type { Sink } from './sink.ts'
import { Watcher, type WatcherOptions, type WatchSource, type WatchStart } from './watcher.ts'
import { WatchClass } from './watchClass.ts'
import { selectionKey, type Selection } from './watchFilter.ts'

const tickMs = 1_000
/** After a flush that took longer than this, the next one waits a little: writers that were held up by it commit
 *  meanwhile, and each watcher gets one larger write. */
const longFlushMs = 2
const pauseMs = 4

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
  #pauseUntil = 0
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
    const wait = this.#pauseUntil - this.#clock.now()
    // Behind the answers of this turn: whoever waits for one of them is not held up by a fan-out.
    if (wait <= 0) nextTick(() => setImmediate(() => this.#flush()))
    else this.#pause = this.#clock.setTimer(() => this.#flush(), wait)
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
    const now = this.#clock.now()
    this.#pauseUntil = now - began > longFlushMs ? now + pauseMs : 0
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
