import type { Entry } from './entry.ts'

const keptFilters = 8

/** Chooses entries. */
export interface EntryFilter {
  /** Equal for filters that want the same entries. */
  key: string
  wants(entry: Entry): boolean
}

export type JoinEntries = (entries: readonly Entry[]) => Buffer

/** A run of entries in key order, and what was made of it since it last changed. */
export class Block {
  readonly entries: Entry[]
  /** A snapshot has it: it never changes again, and a write puts a copy in its place. */
  isShared = false
  /** The joined body of its list items, or of some: those of a namespace. They are kept, so that all who read the same
   *  share it, however slowly they read. */
  #segments: Map<string, Buffer> | undefined
  #filtered: Map<string, readonly Entry[]> | undefined

  constructor(entries: Entry[]) {
    this.entries = entries
  }

  changed(): void {
    this.#segments = undefined
    this.#filtered = undefined
  }

  /** The list items from one place to another, joined. */
  segment(start: number, end: number, join: JoinEntries): Buffer {
    const key = `${start}-${end}`
    this.#segments ??= new Map()
    let segment = this.#segments.get(key)
    if (segment === undefined) {
      segment = this.#joined(start, end, join)
      this.#segments.set(key, segment)
    }
    return segment
  }

  /** The same for a part that few ask for, which is kept only if it is the whole block: a page may end anywhere. */
  passingSegment(start: number, end: number, join: JoinEntries): Buffer {
    const isWhole = start === 0 && end === this.entries.length
    return isWhole ? this.segment(start, end, join) : this.#joined(start, end, join)
  }

  /** What a filter wants, remembered for a few filters: clients ask again and again with the same selector. */
  filtered(filter: EntryFilter): readonly Entry[] {
    this.#filtered ??= new Map()
    let found = this.#filtered.get(filter.key)
    if (found === undefined) {
      if (this.#filtered.size === keptFilters) this.#filtered.clear()
      found = this.entries.filter((entry) => filter.wants(entry))
      this.#filtered.set(filter.key, found)
    }
    return found
  }

  #joined(start: number, end: number, join: JoinEntries): Buffer {
    const isWhole = start === 0 && end === this.entries.length
    return join(isWhole ? this.entries : this.entries.slice(start, end))
  }
}
