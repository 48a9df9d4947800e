import { nextTick } from 'node:process'
import type { Clock, Timer } from '../meta/clock.ts'
import { guarded } from '../meta/waiting/guarded.ts'
import type { FrameEncoder } from './frameEncoder.ts'
import type { Sink } from './sink.ts'
import { Watcher, type WatcherOptions, type WatchSource, type WatchStart } from './watcher.ts'
import { WatchClass } from './watchClass.ts'
import { selectionKey, type Selection } from './watchFilter.ts'

const tickMs = 1_000
/**
 * A fan-out yields to requests after this time, or after as long as they took since it last yielded. Watchers not yet
 * served get later changes in the same write.
 */
const turnMs = 2
const maxTurnMs = 20

export interface WatchRequest {
  selection: Selection
  encoder: FrameEncoder
  options: WatcherOptions
  start: WatchStart
}

/** The watchers of one resource. Writers never wait for them: a commit only schedules a flush. */
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
  /**
   * Handles errors that concern no single watcher. Watchers not yet served are served after the
   * next change, or within a second.
   */
  readonly #failed = (error: unknown): void => {
    this.#isUnderWay = false
    this.#source.report(error)
  }
  readonly #begin = guarded('watchHub.begin', this.#failed, () => this.#goOn())
  readonly #fanOut = guarded('watchHub.fanOut', this.#failed, () => {
    const now = this.#clock.now()
    const sinceThen = now - this.#gaveWayAt
    const giveWayAt = now + Math.min(Math.max(turnMs, sinceThen), maxTurnMs)
    do this.#pumpNext()
    while (this.#behind > 0 && this.#clock.now() < giveWayAt)
    this.#goOn()
  })
  readonly #rung = guarded(
    'watchHub.tick',
    (error) => {
      this.#tickAt = Infinity
      this.#source.report(error)
      this.#tickBy(this.#clock.now() + tickMs)
    },
    () => this.#tick(),
  )
  /** Cursor of the round-robin fan-out. */
  #round = this.#watchers.values()
  /** Number of watchers after the cursor that may lack the newest events. */
  #behind = 0
  #isUnderWay = false
  #gaveWayAt = 0
  #isClosed = false
  #ticker: Timer | undefined
  #tickAt = Infinity

  constructor(source: WatchSource) {
    this.#source = source
    this.#clock = source.clock
  }

  get size(): number {
    return this.#watchers.size
  }

  /** Starts a watch in the caller's turn. */
  subscribe(request: WatchRequest, sink: Sink): Watcher {
    const key = `${request.encoder.key} ${selectionKey(request.selection)}`
    const watcher = new Watcher(this.#source, this.#join(key, request), sink, request.options)
    this.#watchers.add(watcher)
    // The new watcher comes before the start of a round in progress.
    if (this.#isUnderWay) this.#behind++
    watcher.onClose(this.#leave)
    this.#tickBy(Math.min(this.#clock.now() + tickMs, watcher.endsAt))
    watcher.start(request.start)
    if (this.#isClosed) watcher.end()
    return watcher
  }

  /** Schedules a fan-out of new events in the ring. */
  notify(): void {
    if (this.#watchers.size === 0) return
    this.#behind = this.#watchers.size
    if (this.#isUnderWay) return
    this.#isUnderWay = true
    // After the responses of this turn: clients that wait for one are not delayed by a fan-out.
    nextTick(this.#begin)
  }

  /** Ends every stream, and later ones immediately. */
  close(): void {
    this.#isClosed = true
    // Acknowledged changes are sent before the end.
    for (const watcher of [...this.#watchers]) watcher.endAfterRest()
    this.#ticker?.cancel()
  }

  #goOn(): void {
    this.#isUnderWay = this.#behind > 0
    if (!this.#isUnderWay) return
    this.#gaveWayAt = this.#clock.now()
    setImmediate(this.#fanOut)
  }

  #pumpNext(): void {
    this.#behind--
    let { value } = this.#round.next()
    if (value === undefined) {
      this.#round = this.#watchers.values()
      value = this.#round.next().value
    }
    value?.pump()
  }

  #tick(): void {
    this.#tickAt = Infinity
    for (const watcher of this.#watchers) watcher.tick()
    if (this.#behind > 0 && !this.#isUnderWay) this.#goOn()
    if (this.#watchers.size === 0) return
    let next = this.#clock.now() + tickMs
    for (const { endsAt } of this.#watchers) if (endsAt < next) next = endsAt
    this.#tickBy(next)
  }

  /** Sets the one timer of all watchers. */
  #tickBy(time: number): void {
    if (this.#tickAt <= time || this.#isClosed) return
    this.#ticker?.cancel()
    this.#tickAt = time
    this.#ticker = this.#clock.setTimer(this.#rung, time - this.#clock.now())
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
