import { partitionPoint } from '../meta/collections/partitionPoint.ts'
import type { Steps } from '../meta/waiting/steps.ts'
import { readBy, type Block, type EntryFilter, type ItemForm } from './block.ts'
import type { Entry } from './cacheEntry.ts'

/**
 * Reads entries in key order from blocks. Over the blocks of a list it is a live view; over a list's snapshot it is
 * immutable.
 */
export class OrderedBlocks {
  readonly #blocks: readonly Block[]

  constructor(blocks: readonly Block[]) {
    this.#blocks = blocks
  }

  get(key: string): Entry | undefined {
    const entries = this.#blocks[blockIndexOf(this.#blocks, key)]?.entries ?? []
    const entry = entries[lowerBound(entries, key)]
    return entry?.key === key ? entry : undefined
  }

  /** Entries with `from <= key < to` that match the filter, in order. */
  *range(from: string, to: string, filter?: EntryFilter): Generator<Entry> {
    const first = blockIndexOf(this.#blocks, from)
    for (let index = first; index < this.#blocks.length; index++) {
      const block = this.#blocks[index]
      if (block === undefined) return
      const { entries } = block
      const start = index === first ? lowerBound(entries, from) : 0
      const isLast = (entries.at(-1)?.key ?? to) >= to
      const end = isLast ? lowerBound(entries, to) : entries.length
      const isWhole = start === 0 && end === entries.length
      if (filter === undefined) yield* isWhole ? entries : entries.slice(start, end)
      else if (isWhole) yield* block.filtered(filter)
      else yield* entries.slice(start, end).filter((entry) => filter.wants(entry))
      if (isLast) return
    }
  }

  /**
   * Does the work of selecting the first `limit` entries of a range in steps of one entry, so that range() then only
   * has to collect them. For a list's snapshot.
   */
  *prepare(
    { from, to, limit }: { from: string; to: string; limit: number },
    filter: EntryFilter,
  ): Steps<void> {
    let found = 0
    for (const { block, start, end } of this.#parts(from, to)) {
      if (found >= limit) return
      const isWhole = start === 0 && end === block.entries.length
      if (!isWhole) yield* readBy(filter, block.entries.slice(start, end))
      else {
        if (!block.isFiltered(filter)) yield* readBy(filter, block.entries)
        found += block.filtered(filter).length
      }
    }
  }

  /** The first entries of a range, at most `limit`. */
  first(from: string, to: string, limit: number): Entry[] {
    const found: Entry[] = []
    for (const { block, start, end } of this.#parts(from, to)) {
      found.push(...block.entries.slice(start, Math.min(end, start + limit - found.length)))
      if (found.length === limit) break
    }
    return found
  }

  /** Number of entries with `from <= key < to`. */
  count(from: string, to: string): number {
    const [first, last] = [blockIndexOf(this.#blocks, from), blockIndexOf(this.#blocks, to)]
    let count = 0
    for (let index = first; index <= last; index++) {
      const entries = this.#blocks[index]?.entries ?? []
      const start = index === first ? lowerBound(entries, from) : 0
      count += (index === last ? lowerBound(entries, to) : entries.length) - start
    }
    return Math.max(0, count)
  }

  /** Reports whether an entry has `from <= key < to`. */
  has(from: string, to: string): boolean {
    for (const { start, end } of this.#parts(from, to)) if (end > start) return true
    return false
  }

  /**
   * The joined list items of `from <= key < to`, one buffer per block: together a consistent snapshot, since a write
   * creates a new buffer and never changes one. `form` joins items that have no kept segment.
   */
  segments(from: string, to: string, form: ItemForm): Buffer[] {
    const segments: Buffer[] = []
    for (const { block, start, end } of this.#parts(from, to)) {
      if (start < end) segments.push(block.segment(start, end, form))
    }
    return segments
  }

  /** The joined list items of a page. Only the joined items of whole blocks are kept. */
  pageSegments(from: string, to: string, form: ItemForm): Buffer[] {
    const segments: Buffer[] = []
    for (const { block, start, end } of this.#parts(from, to)) {
      if (start < end) segments.push(block.pageSegment(start, end, form))
    }
    return segments
  }

  /** The part of each block in `from <= key < to`: only the two ends need a search. */
  *#parts(from: string, to: string): Generator<{ block: Block; start: number; end: number }> {
    const first = blockIndexOf(this.#blocks, from)
    for (let index = first; index < this.#blocks.length; index++) {
      const block = this.#blocks[index]
      if (block === undefined) return
      const { entries } = block
      if ((entries[0]?.key ?? to) >= to) return
      const start = index === first ? lowerBound(entries, from) : 0
      const isLast = (entries.at(-1)?.key ?? to) >= to
      yield { block, start, end: isLast ? lowerBound(entries, to) : entries.length }
      if (isLast) return
    }
  }
}

/** The index of `key` among entries in key order, or its insertion point. */
export function lowerBound(entries: readonly Entry[], key: string): number {
  return partitionPoint(0, entries.length, (index) => (entries[index]?.key ?? '') < key)
}

/**
 * The index of the block that contains `key`, or would contain it: the last block that starts at or
 * before it, otherwise the first.
 */
export function blockIndexOf(blocks: readonly Block[], key: string): number {
  const above = partitionPoint(
    0,
    blocks.length,
    (index) => (blocks[index]?.entries[0]?.key ?? '') <= key,
  )
  return Math.max(0, above - 1)
}
