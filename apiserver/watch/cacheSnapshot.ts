import type { Steps } from '../meta/waiting/steps.ts'
import type { EntryFilter, ItemForm } from './block.ts'
import type { Entry, FieldsOf } from './cacheEntry.ts'
import { joinEntries, listItems } from './joinEntries.ts'
import type { OrderedBlocks } from './orderedBlocks.ts'
import { matches, selectionKey, type Selection } from './watchFilter.ts'

/** Properties of a cache's objects besides their bytes. */
export interface EntryReading {
  fieldsOf: FieldsOf
  /** Bytes of kind and apiVersion at an object's start, omitted from list items; 0: items keep them. */
  typeLength: number
}

/** The objects of one resource at one moment, readable over any number of turns. */
export class CacheSnapshot {
  readonly #blocks: OrderedBlocks
  readonly #fieldsOf: FieldsOf
  readonly #typeLength: number
  readonly #form: ItemForm

  constructor(blocks: OrderedBlocks, { fieldsOf, typeLength }: EntryReading) {
    this.#blocks = blocks
    this.#fieldsOf = fieldsOf
    this.#form = {
      join: (entries) => joinEntries(entries, typeLength),
      // The line feed at an object's end is replaced by the comma.
      lengthOf: ({ bytes }) => bytes.length - typeLength,
    }
    this.#typeLength = typeLength
  }

  /** The selected entries at or after key `from`, in key order. */
  select(selection: Selection, from?: string): Iterable<Entry> {
    const { keyPrefix, labels, fields, onlyKey } = selection
    if (onlyKey !== undefined) return this.#selectOne(selection, onlyKey)
    const isOpen = labels === undefined && fields === undefined
    const filter = isOpen ? undefined : this.#filterOf(selection)
    return this.#blocks.range(from ?? keyPrefix, endOfPrefix(keyPrefix), filter)
  }

  /**
   * Does the work of selecting the first `limit` entries in steps of one entry; 0: all. select() then only has to
   * collect them, also in a later snapshot, except for the changes since.
   */
  *prepare(selection: Selection, { from, limit }: { from: string; limit: number }): Steps<void> {
    const { keyPrefix, labels, fields, onlyKey } = selection
    if (onlyKey !== undefined || (labels === undefined && fields === undefined)) return
    const range = { from, to: endOfPrefix(keyPrefix), limit: limit === 0 ? Infinity : limit }
    yield* this.#blocks.prepare(range, this.#filterOf(selection))
  }

  /** The first entries under `keyPrefix` at or after key `from`, at most `limit`; 0: all. */
  first(keyPrefix: string, from: string, limit: number): Entry[] {
    return this.#blocks.first(from, endOfPrefix(keyPrefix), limit === 0 ? Infinity : limit)
  }

  /** Number of entries under `keyPrefix` at or after key `from`. */
  countFrom(keyPrefix: string, from: string): number {
    return this.#blocks.count(from, endOfPrefix(keyPrefix))
  }

  /** Reports whether there is an entry under `keyPrefix` after `key`. */
  hasAfter(keyPrefix: string, key: string): boolean {
    return this.#blocks.has(keyAfter(key), endOfPrefix(keyPrefix))
  }

  /** The list items of a whole key prefix, in buffers to be joined by commas. */
  segments(keyPrefix: string): Buffer[] {
    return this.#blocks.segments(keyPrefix, endOfPrefix(keyPrefix), this.#form)
  }

  /** The list items from key `from` to key `last`, in buffers to be joined by commas. */
  pageSegments(from: string, last: string): Buffer[] {
    return this.#blocks.pageSegments(from, keyAfter(last), this.#form)
  }

  /** The list items of selected entries. */
  items(entries: readonly Entry[]): Buffer[] {
    return listItems(entries, this.#typeLength)
  }

  #selectOne(selection: Selection, key: string): Entry[] {
    const entry = this.#blocks.get(key)
    return entry !== undefined && matches(selection, entry, this.#fieldsOf) ? [entry] : []
  }

  /** A filter for entries under the selection's prefix. */
  #filterOf(selection: Selection): EntryFilter {
    return {
      key: selectionKey(selection),
      wants: (entry) => matches(selection, entry, this.#fieldsOf),
    }
  }
}

/** The first key after all keys with `prefix`, which ends in a slash. */
export function endOfPrefix(prefix: string): string {
  return `${prefix.slice(0, -1)}0`
}

function keyAfter(key: string): string {
  return `${key}\0`
}
