import type { Steps } from '../meta/waiting/steps.ts'
import type { Entry } from './cacheEntry.ts'

const keptFilters = 8

/** Selects entries. */
export interface EntryFilter {
  /** Equal for filters that select the same entries. */
  key: string
  wants(entry: Entry): boolean
}

/** The conversion of entries to list items. */
export interface ItemForm {
  /** Joined by commas. */
  join: (entries: readonly Entry[]) => Buffer
  /** Length of one entry in the joined form, including its comma. */
  lengthOf: (entry: Entry) => number
}

/** A run of entries in key order, and data derived from it since its last change. */
export class Block {
  readonly entries: Entry[]
  /** True if a snapshot refers to it: it is then immutable, and a write replaces it with a copy. */
  isShared = false
  /**
   * Joined list items by range, such as the items of a namespace. They are kept, so that all
   * readers of a range share one buffer, however slowly they read.
   */
  #segments: Map<string, Buffer> | undefined
  #filtered: Map<string, readonly Entry[]> | undefined

  constructor(entries: Entry[]) {
    this.entries = entries
  }

  changed(): void {
    this.#segments = undefined
    this.#filtered = undefined
  }

  /** The joined list items of a range. */
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

  /**
   * The joined list items of a range that few clients request: a page may begin and end anywhere. It is a slice of the
   * whole block's segment, so that nothing more is kept, unless joining the whole block would be far more work.
   */
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

  /** The entries that a filter selects, cached for a few filters: clients repeat the same selectors. */
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

  /** Reports whether filtered() has the result of a filter. */
  isFiltered({ key }: EntryFilter): boolean {
    return this.#filtered?.has(key) === true
  }

  #joined(start: number, end: number, { join }: ItemForm): Buffer {
    const isWhole = start === 0 && end === this.entries.length
    return join(isWhole ? this.entries : this.entries.slice(start, end))
  }
}

/** Reads entries with a filter, in steps of one entry: entries keep what the filter has read of them. */
export function* readBy(filter: EntryFilter, entries: readonly Entry[]): Steps<void> {
  for (const entry of entries) {
    filter.wants(entry)
    yield
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
