import type { Clock, Timer } from '../meta/clock.ts'
import { messageOf } from '../meta/messageOf.ts'
import { enterCallback, guarded } from '../meta/waiting/guarded.ts'
import { runPaced, type Steps } from '../meta/waiting/steps.ts'
import { writeTurns } from '../meta/waiting/writeTurns.ts'
import { StatusError, type Status } from '../meta/status.ts'
import { expired, internalError } from '../meta/statusErrors.ts'
import { StorageError } from '../storage/errors.ts'
import type { ChangePage } from '../storage/storage.ts'
import { Entry } from './cacheEntry.ts'
import { CacheEvent, type EventRing } from './eventRing.ts'
import type { Sink } from './sink.ts'
import type { WatchClass } from './watchClass.ts'
import type { WatchCounts } from './watchCounts.ts'
import { eventTypeFor, viewChanged } from './watchFilter.ts'
import type { FieldsOf } from './cacheEntry.ts'

const pageSize = 500
const initialBytesAtOnce = 64 * 1024
/** Time that initial entries may take in one turn of the event loop; encoding may cost more than their bytes. */
const initialMs = 8
const bookmarkIntervalMs = 60_000
const bookmarkBeforeEndMs = 2_000
/** Minimum duration of a watch with bookmarks. */
const minBookmarkedMs = 5_000
const maxBlockedMs = 60_000
const maxEndingMs = 10_000

/** The start of a watch. `initial`: these entries first, then the events after `revision`. */
export interface WatchStart {
  revision: number
  initial?: readonly Entry[]
  /** True if a bookmark marks the end of the initial entries. */
  marksInitialEnd?: boolean
}

export interface WatcherOptions {
  allowBookmarks: boolean
  /** Time after which the stream ends. */
  timeoutMs: number
  /**
   * Accounts for the bytes that a full sink retains, until the returned function is called. Undefined: they must not be
   * retained. Absent: no accounting.
   */
  hold?: HoldUnread
  /** Reports whether the client's identity is still valid. Absent: always. */
  isCurrent?: (() => boolean) | undefined
  /** Called once when the watch ends. Default: ignored. */
  whenEnded?: (() => void) | undefined
  /** Called with a server-side error that ended the watch. Default: ignored. */
  report?: ((error: unknown) => void) | undefined
}

export type HoldUnread = (frames: Buffer, more: number) => (() => void) | undefined

/** The source of a watcher: the ring of its resource, and the history behind it. */
export interface WatchSource {
  ring: EventRing
  fieldsOf: FieldsOf
  clock: Clock
  counts: WatchCounts
  /** Called with errors that concern no single watcher. */
  report: (error: unknown) => void
  /** The revision up to which the ring is complete. */
  revision(): number
  changes(since: number, limit: number): Promise<ChangePage>
}

/** Bytes of a reference to an entry. */
const entryBytes = 8

// Shared, since most watches have no initial entries.
const noEntries: readonly Entry[] = []

/**
 * A client of one stream: a position in the ring, a class and a sink. It queues nothing: a full
 * sink leaves the position where it is. A position that falls out of the ring continues from
 * history. A sink that stays full for a minute ends the watch, as does history that is gone. There
 * are thousands of watchers, so they have no timers of their own, and share every object and
 * function that they can.
 */
export class Watcher {
  readonly #source: WatchSource
  readonly #class: WatchClass
  readonly #sink: Sink
  readonly #allowBookmarks: boolean
  readonly #timeoutMs: number
  readonly #hold: HoldUnread | undefined
  readonly #report: WatcherOptions['report']
  readonly #isCurrent: WatcherOptions['isCurrent']
  readonly #whenEnded: WatcherOptions['whenEnded']
  /** Time at which the stream ends; the hub calls tick() then. */
  readonly endsAt: number
  #position = 0
  /** The revision up to which everything was sent to the client. */
  #told = 0
  #wasLive = false
  #phase: 'initial' | 'history' | 'live' | 'closed' = 'initial'
  #initial = noEntries
  #initialAt = 0
  #startRevision = 0
  #marksInitialEnd = false
  #isFirst = true
  /** True while a later turn will write the next entries or events. */
  #isDue = false
  #endsAfterRest = false
  #blockedSince: number | undefined
  #resume: (() => void) | undefined
  /** Releases the accounting of the full sink. */
  #release: (() => void) | undefined
  #cutOff: Timer | undefined
  #nextBookmarkAt: number
  #lastBookmark = 0
  #onClose: ((watcher: Watcher) => void) | undefined

  constructor(source: WatchSource, watchClass: WatchClass, sink: Sink, options: WatcherOptions) {
    this.#source = source
    this.#class = watchClass
    this.#sink = sink
    this.#allowBookmarks = options.allowBookmarks
    this.#timeoutMs = options.timeoutMs
    this.#hold = options.hold
    this.#report = options.report
    this.#isCurrent = options.isCurrent
    this.#whenEnded = options.whenEnded
    const now = source.clock.now()
    this.endsAt = now + options.timeoutMs
    this.#nextBookmarkAt = this.#nextBookmark(now)
    const failed = (error: unknown) => this.#break(error, this.#told)
    sink.onDrain(guarded('watcher.drain', failed, () => this.#drained()))
    sink.onClose(guarded('watcher.close', failed, () => this.#gone()))
  }

  get watchClass(): WatchClass {
    return this.#class
  }

  /** Sets the callback that runs once, when the watch ends. */
  onClose(callback: (watcher: Watcher) => void): void {
    this.#onClose = callback
  }

  /** Starts in the caller's turn: nothing committed after it is missed. */
  start(start: WatchStart): void {
    this.#startRevision = start.revision
    this.#marksInitialEnd = start.marksInitialEnd === true
    this.#lastBookmark = start.revision
    this.#initial = start.initial ?? noEntries
    if (start.initial === undefined) {
      this.#goOnFrom(start.revision)
      return
    }
    this.#position = this.#source.ring.end
    this.pump()
  }

  /** Writes pending frames until the sink is full. */
  pump(): void {
    if (this.#blockedSince !== undefined) return
    try {
      enterCallback('watcher.pump')
      this.#checkView()
      if (this.#phase === 'initial' && !this.#pumpInitial()) return
      if (this.#phase === 'live') this.#pumpLive()
    } catch (error) {
      // An object that cannot be encoded for this stream does not affect others.
      this.#break(error, this.#told)
    }
  }

  /** Called about once a second and at `endsAt`: handles the end, blocked clients and bookmarks. */
  tick(): void {
    const now = this.#source.clock.now()
    const blockedMs = this.#blockedSince === undefined ? 0 : now - this.#blockedSince
    try {
      enterCallback('watcher.tick')
      this.#checkView()
      if (now >= this.endsAt) this.end()
      else if (blockedMs > maxBlockedMs) this.#giveUp()
      else if (this.#phase === 'live' && this.#allowBookmarks) this.#bookmarkIfDue(now)
    } catch (error) {
      this.#break(error, this.#told)
    }
  }

  /** Ends the stream with 410: the client lists again. */
  expire(): void {
    this.#break(viewChanged(), this.#told)
  }

  /** Checks the rights. @throws StatusError Expired if they may have changed since the watch began. */
  #checkView(): void {
    const { view } = this.#class.selection
    if (view === undefined || this.#phase === 'closed') return
    if (!view.holds() || this.#isCurrent?.() === false) throw viewChanged()
  }

  /**
   * Ends the stream of a client that is too slow. The client resumes from its last event, or lists
   * again. Source: reference 5.9.
   */
  #giveUp(): void {
    if (this.#phase === 'closed') return
    this.#source.counts.terminated++
    this.end()
  }

  #gone(): void {
    this.#cutOff?.cancel()
    this.#letGo()
    this.#close()
  }

  /**
   * Ends the stream cleanly. A client that does not even read the end is disconnected later: its frames are retained
   * until then.
   */
  end(): void {
    if (this.#phase === 'closed') return
    this.#close()
    if (this.#blockedSince !== undefined)
      this.#cutOff = this.#source.clock.setTimer(
        guarded('watcher.cutOff', this.#source.report, () => this.#sink.cutOff()),
        maxEndingMs,
      )
    this.#sink.end()
  }

  /** Ends the stream after the events so far, unless the client is too slow to take them. */
  endAfterRest(): void {
    this.#endsAfterRest = true
    this.pump()
    if (!this.#isDue) this.end()
  }

  #pumpInitial(): boolean {
    const until = performance.now() + initialMs
    while (this.#initialAt < this.#initial.length) {
      if (performance.now() >= until) return this.#pumpLater()
      const frames: Buffer[] = []
      let bytes = 0
      while (bytes < initialBytesAtOnce && (bytes === 0 || performance.now() < until)) {
        const entry = this.#initial[this.#initialAt]
        if (entry === undefined) break
        this.#initialAt++
        const frame = this.#class.encoder.initial(entry, this.#isFirst)
        this.#isFirst = false
        frames.push(frame)
        bytes += frame.length
        this.#source.counts.sent.add(frame.length)
      }
      if (!this.#write(Buffer.concat(frames))) return false
    }
    this.#initial = noEntries
    this.#phase = 'live'
    this.#told = this.#startRevision
    if (!this.#marksInitialEnd) return true
    return this.#write(this.#bookmark(this.#startRevision, true))
  }

  /** Leaves the rest to a later turn, which watchers share with other large writes. */
  #pumpLater(): false {
    if (this.#isDue) return false
    this.#isDue = true
    const go = () => {
      this.#isDue = false
      if (this.#endsAfterRest) this.endAfterRest()
      else this.pump()
    }
    setImmediate(() => writeTurns.run(go))
    return false
  }

  #pumpLive(): void {
    const { ring } = this.#source
    while (this.#position < ring.end) {
      if (this.#position < ring.start) {
        // A burst may be larger than the ring: a watcher that was up to date reads the rest from history.
        this.#goOnFrom(this.#told)
        return
      }
      if ((ring.at(this.#position)?.revision ?? 0) <= this.#startRevision) {
        this.#position++
        continue
      }
      const isFirst = this.#needsFirst()
      const written = this.#writeRun(isFirst)
      if (written === 'full') return
      if (isFirst && written === 'some') continue
      if (this.#position < ring.end) this.#pumpLater()
      return
    }
  }

  /** Writes the frames of a run of events, of which there may be none; `full`: the sink takes no more. */
  #writeRun(isFirst: boolean): 'none' | 'some' | 'full' {
    const { ring } = this.#source
    const { frames, next, sizes } = isFirst
      ? this.#class.firstRun(ring, this.#position)
      : this.#class.run(ring, this.#position)
    this.#position = next
    this.#told = ring.at(next - 1)?.revision ?? this.#told
    if (frames.length === 0) return 'none'
    this.#isFirst = false
    this.#source.counts.sent.merge(sizes)
    return this.#write(frames) ? 'some' : 'full'
  }

  #needsFirst(): boolean {
    return this.#isFirst && this.#class.encoder.firstDiffers
  }

  #goOnFrom(revision: number): void {
    const position = this.#source.ring.positionAfter(revision)
    if (position === undefined) {
      this.#phase = 'history'
      void this.#readHistory(revision).catch((error: unknown) => {
        if (this.#wasLive && !(error instanceof StatusError)) this.#giveUp()
        else this.#break(error, revision)
      })
      return
    }
    this.#position = position
    this.#told = revision
    this.#phase = 'live'
    this.#wasLive = true
    this.pump()
  }

  async #readHistory(since: number): Promise<void> {
    const page = await this.#source.changes(since, pageSize)
    if (this.#phase !== 'history') return
    const { ring } = this.#source
    if (page.changes.length === 0 && page.revision >= ring.floor) ring.reachBackTo(since)
    const frames = Buffer.concat(await runPaced(this.#historyFrames(page)))
    if (this.#phase !== 'history') return
    // The rights may have changed since the frames were encoded.
    this.#checkView()
    const isTaken = frames.length === 0 || this.#write(frames)
    if (!isTaken && this.#phase === 'history') await this.#writable()
    if (this.#phase === 'history') this.#goOnFrom(page.revision)
  }

  *#historyFrames(page: ChangePage): Steps<Buffer[]> {
    const frames: Buffer[] = []
    for (const { key, revision, value, previous } of page.changes) {
      if (this.#phase !== 'history') break
      const event = new CacheEvent({
        key,
        revision,
        entry: value && new Entry({ key, revision, value }),
        previous: previous && new Entry(previous),
      })
      const type = eventTypeFor(this.#class.selection, event, this.#source.fieldsOf)
      if (type !== undefined) {
        const frame = this.#class.encoder.event(type, event, this.#isFirst)
        frames.push(frame)
        this.#source.counts.sent.add(frame.length)
        this.#isFirst = false
      }
      yield
    }
    return frames
  }

  #bookmarkIfDue(now: number): void {
    const revision = this.#source.revision()
    if (now < this.#nextBookmarkAt || this.#blockedSince !== undefined) return
    if (this.#position !== this.#source.ring.end || revision <= this.#lastBookmark) return
    this.#nextBookmarkAt = this.#nextBookmark(now)
    this.#lastBookmark = revision
    this.#write(this.#bookmark(revision, false))
  }

  #bookmark(revision: number, endsInitialEvents: boolean): Buffer {
    const isFirst = this.#isFirst
    this.#isFirst = false
    return this.#class.encoder.bookmark(revision, endsInitialEvents, isFirst)
  }

  /** The time of the next bookmark: each minute, and once shortly before the end. Source: reference 5.7. */
  #nextBookmark(now: number): number {
    const last = this.endsAt - bookmarkBeforeEndMs
    const next = now + bookmarkIntervalMs
    const hasLast = this.#timeoutMs >= minBookmarkedMs && last > now
    return hasLast && last < next ? last : next
  }

  #write(frames: Buffer): boolean {
    if (this.#sink.write(frames)) return true
    this.#blockedSince = this.#source.clock.now()
    this.#letGo()
    const release = this.#hold?.(frames, entryBytes * this.#initial.length)
    if (this.#hold !== undefined && release === undefined) this.#refuse()
    this.#release = release
    return false
  }

  /** Disconnects a client with more unread frames than the memory limit allows. */
  #refuse(): void {
    if (this.#phase !== 'closed') this.#source.counts.terminated++
    this.#close()
    this.#sink.cutOff()
  }

  #letGo(): void {
    this.#release?.()
    this.#release = undefined
  }

  #drained(): void {
    this.#letGo()
    this.#blockedSince = undefined
    this.#resume?.()
    this.#resume = undefined
    this.pump()
  }

  #writable(): Promise<void> {
    return new Promise((resolve) => (this.#resume = resolve))
  }

  /** Ends only this stream with an error. A stream that cannot be written to is disconnected. */
  #break(error: unknown, asked: number): void {
    if (this.#phase === 'closed') return
    if (!isExpected(error)) this.#report?.(error)
    try {
      this.#fail(statusOf(error, asked))
    } catch (second) {
      this.#report?.(second)
      this.#close()
      this.#sink.cutOff()
    }
  }

  #fail(status: Status): void {
    if (this.#phase === 'closed') return
    this.#sink.write(this.#class.encoder.error(status))
    this.end()
  }

  #close(): void {
    if (this.#phase === 'closed') return
    this.#phase = 'closed'
    this.#initial = noEntries
    this.#resume?.()
    this.#onClose?.(this)
    this.#whenEnded?.()
  }
}

/** The error for a compacted revision. Source: reference 5.6. */
function tooOld(asked: number, oldest: number): Status {
  return expired(`too old resource version: ${asked} (${oldest})`).toStatus()
}

/** Reports whether an error is meant for the client rather than a fault of the server. */
function isExpected(error: unknown): boolean {
  return error instanceof StatusError || error instanceof StorageError
}

function statusOf(error: unknown, asked: number): Status {
  if (error instanceof StatusError) return error.toStatus()
  if (error instanceof StorageError && error.code === 'Compacted')
    return tooOld(asked, error.revision ?? 0)
  return internalError(messageOf(error)).toStatus()
}
