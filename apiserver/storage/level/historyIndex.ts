import type { Change } from '../storage.ts'

/** What each kept history record is about, in memory: two words a record. So a replay or a read at an older revision
 *  fetches from disk only the records it needs, however long the history is. */
export class HistoryIndex {
  /** Entry `i` stands for revision `#start + 1 + i`. */
  #start: number
  #keys: string[] = []
  /** The revision of the key's next write, 0 when it has none. */
  #next: number[] = []
  /** Everything up to `revision` was written at or before `time`; both ascend. A mark covers what was written within
   *  `#markEveryMs` of its `begin`. */
  #marks: { revision: number; begin: number; time: number }[] = []
  readonly #markEveryMs: number

  constructor(start: number, markEveryMs: number) {
    this.#start = start
    this.#markEveryMs = markEveryMs
  }

  get size(): number {
    return this.#keys.length
  }

  /** Changes come in revision order, without a gap. */
  append(key: string, revision: number, previousRevision: number): void {
    this.#keys.push(key)
    this.#next.push(0)
    const before = previousRevision - this.#start - 1
    if (before >= 0) this.#next[before] = revision
  }

  appendChange(change: Change): void {
    this.append(change.key, change.revision, change.previous?.revision ?? 0)
  }

  /** Remembers that `revision` was the newest at `time`. A clock that goes back only makes history live longer. */
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

  /** The revision of the next write of the key that `revision` wrote, over the same object; 0 when there is none. */
  next(revision: number): number {
    return this.#next[revision - this.#start - 1] ?? 0
  }

  /** The revisions after `since` whose keys have `prefix`, oldest first, at most `limit`. */
  matching(prefix: string, since: number, limit: number): { revisions: number[]; more: boolean } {
    const revisions: number[] = []
    for (let i = Math.max(0, since - this.#start); i < this.#keys.length; i++) {
      if (this.#keys[i]?.startsWith(prefix) !== true) continue
      if (revisions.length === limit) return { revisions, more: true }
      revisions.push(this.#start + 1 + i)
    }
    return { revisions, more: false }
  }

  /** For each key under `prefix` that was written after `since`: the first such write. */
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

  /** Forgets everything up to and including `revision`. */
  dropThrough(revision: number): void {
    const count = revision - this.#start
    if (count <= 0) return
    this.#keys = this.#keys.slice(count)
    this.#next = this.#next.slice(count)
    this.#marks = this.#marks.filter((mark) => mark.revision > revision)
    this.#start = revision
  }
}
