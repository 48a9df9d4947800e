import { partitionPoint } from '../../../meta/collections/partitionPoint.ts'

/**
 * An index of the writes in the log, in memory: two words per write. A replay or a read at an older revision fetches
 * only the records it needs from disk, however long the log is.
 */
export class HistoryIndex {
  /** Entry `i` describes revision `#start + 1 + i`. */
  #start: number
  #keys: string[] = []
  /** The revision of the replaced value, 0 if there was none. */
  #previous: number[] = []
  /** The first revisions of the log's records, ascending. */
  #records: number[] = []
  /**
   * Everything up to `revision` was written at or before `time`; both ascend. A mark covers writes within
   * `#markEveryMs` of its `begin`.
   */
  #marks: { revision: number; begin: number; time: number }[] = []
  readonly #markEveryMs: number

  constructor(start: number, markEveryMs: number) {
    this.#start = start
    this.#markEveryMs = markEveryMs
  }

  get size(): number {
    return this.#keys.length
  }

  /** Adds a write; writes come in revision order, without a gap. */
  append(key: string, previousRevision: number): void {
    this.#keys.push(key)
    this.#previous.push(previousRevision)
  }

  /** Starts a new record for the next writes. */
  beginRecord(): void {
    this.#records.push(this.#start + 1 + this.#keys.length)
  }

  /** Records that `revision` was the newest at `time`. A clock that goes back only keeps history longer. */
  mark(revision: number, time: number): void {
    const last = this.#marks.at(-1)
    const at = Math.max(time, last?.time ?? time)
    if (last === undefined || at >= last.begin + this.#markEveryMs) {
      this.#marks.push({ revision, begin: at, time: at })
    } else {
      last.revision = revision
      last.time = at
    }
  }

  /** The newest revision known to be written at or before `time`; 0 when there is none. */
  revisionAt(time: number): number {
    return this.#marks.findLast((mark) => mark.time <= time)?.revision ?? 0
  }

  /** The key that `revision` wrote. */
  key(revision: number): string | undefined {
    return this.#keys[revision - this.#start - 1]
  }

  /** The revision of the value that the write of `revision` replaced; 0 when there was none. */
  previous(revision: number): number {
    return this.#previous[revision - this.#start - 1] ?? 0
  }

  /** The first revision of the record that holds `revision`; 0: the log does not hold it. */
  recordOf(revision: number): number {
    return revision > this.#start ? (this.#records[this.#recordAt(revision)] ?? 0) : 0
  }

  /**
   * The end of the record that contains the write `count` after the start, or of an earlier record if that exceeds
   * `limit`; 0: there is none.
   */
  boundary(count: number, limit: number): number {
    const last = this.#start + this.#keys.length
    const wanted = Math.min(this.#start + count, limit)
    const at = this.#recordAt(wanted)
    const end = (this.#records[at + 1] ?? last + 1) - 1
    if (end <= limit) return end > this.#start ? end : 0
    const before = (this.#records[at] ?? 0) - 1
    return before > this.#start ? before : 0
  }

  /** The first revisions of the records up to and including `revision`. */
  recordsThrough(revision: number): number[] {
    return this.#records.slice(0, this.#recordAt(revision) + 1)
  }

  /** The revisions after `since` of keys with `prefix`, oldest first, at most `limit`. */
  matching(prefix: string, since: number, limit: number): { revisions: number[]; more: boolean } {
    const revisions: number[] = []
    for (let i = Math.max(0, since - this.#start); i < this.#keys.length; i++) {
      if (this.#keys[i]?.startsWith(prefix) !== true) continue
      if (revisions.length === limit) return { revisions, more: true }
      revisions.push(this.#start + 1 + i)
    }
    return { revisions, more: false }
  }

  /** The first write after `since` of each key under `prefix`. */
  firstAfter(prefix: string, since: number): Map<string, number> {
    const first = new Map<string, number>()
    for (let i = Math.max(0, since - this.#start); i < this.#keys.length; i++) {
      const key = this.#keys[i]
      if (key?.startsWith(prefix) === true && !first.has(key)) first.set(key, this.#start + 1 + i)
    }
    return first
  }

  /** The first write of `key` after `since`; 0 when there is none. */
  firstOf(key: string, since: number): number {
    const at = this.#keys.indexOf(key, Math.max(0, since - this.#start))
    return at < 0 ? 0 : this.#start + 1 + at
  }

  /** Drops everything up to and including `revision`, the end of a record. */
  dropThrough(revision: number): void {
    const count = revision - this.#start
    if (count <= 0) return
    this.#keys = this.#keys.slice(count)
    this.#previous = this.#previous.slice(count)
    this.#records = this.#records.filter((first) => first > revision)
    this.#marks = this.#marks.filter((mark) => mark.revision > revision)
    this.#start = revision
  }

  /** The index of the last record that begins at or before `revision`; -1: there is none. */
  #recordAt(revision: number): number {
    const records = this.#records
    const isBelow = (index: number) => (records[index] ?? Infinity) <= revision
    return partitionPoint(0, records.length, isBelow) - 1
  }
}
