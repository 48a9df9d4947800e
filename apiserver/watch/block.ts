import type { Entry } from './entry.ts'

const keptFilters = 8

/** Chooses entries. */
export interface EntryFilter {
  /** Equal for filters that want the same entries. */
  key: string
  wants(entry: Entry): boolean
}

/** How entries become list items. */
export interface ItemForm {
  /** Joined by commas. */
  join: (entries: readonly Entry[]) => Buffer
  /** The bytes of one entry in that, with the comma behind it. */
  lengthOf: (entry: Entry) => number
}

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
  segment(start: number, end: number, form: ItemForm): Buffer {
    const key = `${start}-${end}`
    this.#segments ??= new Map()
    let segment = this.#segments.get(key)
    if (segment === undefined) {
      segment = this.#joined(start, end, form)
      this.#segments.set(key, segment)
    }
    return segment
  }

  /** The same for a part that few ask for: a page may begin and end anywhere. It is cut out of the whole block's, so that
   *  nothing more is kept, unless that is far too much to make. */
  pageSegment(start: number, end: number, form: ItemForm): Buffer {
    const { entries } = this
    const isMost = (end - start) * 2 >= entries.length
    if (!isMost && this.#segments?.has(`0-${entries.length}`) !== true)
      return this.#joined(start, end, form)
    const whole = this.segment(0, entries.length, form)
    const first = lengthOf(entries, { start: 0, end: start }, form)
    const length = lengthOf(entries, { start, end }, form)
    return whole.subarray(first, first + length - 1)
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

  #joined(start: number, end: number, { join }: ItemForm): Buffer {
    const isWhole = start === 0 && end === this.entries.length
    return join(isWhole ? this.entries : this.entries.slice(start, end))
  }
}

function lengthOf(
  entries: readonly Entry[],
  { start, end }: { start: number; end: number },
  form: ItemForm,
): number {
  let length = 0
  for (let at = start; at < end; at++) {
    const entry = entries[at]
    if (entry !== undefined) length += form.lengthOf(entry)
  }
  return length
}
