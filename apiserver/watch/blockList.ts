import { partitionPoint } from '../meta/partitionPoint.ts'
import type { Entry } from './entry.ts'

const targetSize = 128
const keptFilters = 8

/** Chooses entries. */
export interface EntryFilter {
  /** Equal for filters that want the same entries. */
  key: string
  wants(entry: Entry): boolean
}

/** A run of entries in key order, and what was made of it since it last changed. */
class Block {
  readonly entries: Entry[]
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
  segment(start: number, end: number, join: (entries: readonly Entry[]) => Buffer): Buffer {
    const key = `${start}-${end}`
    this.#segments ??= new Map()
    let segment = this.#segments.get(key)
    if (segment === undefined) {
      const isWhole = start === 0 && end === this.entries.length
      segment = join(isWhole ? this.entries : this.entries.slice(start, end))
      this.#segments.set(key, segment)
    }
    return segment
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
}

/** The entries of one resource in key order, in blocks of about 128: a write touches one block, and an unchanged block
 *  keeps its part of the LIST body. */
export class BlockList {
  #blocks: Block[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Replaces everything. `entries` are in key order. */
  load(entries: readonly Entry[]): void {
    this.#blocks = []
    this.#size = entries.length
    for (let at = 0; at < entries.length; at += targetSize) {
      this.#blocks.push(new Block(entries.slice(at, at + targetSize)))
    }
  }

  set(entry: Entry): void {
    const block = this.#blockFor(entry.key)
    if (block === undefined) {
      this.#blocks.push(new Block([entry]))
      this.#size++
      return
    }
    const at = lowerBound(block.entries, entry.key)
    block.changed()
    if (block.entries[at]?.key === entry.key) {
      block.entries[at] = entry
      return
    }
    block.entries.splice(at, 0, entry)
    this.#size++
    if (block.entries.length > 2 * targetSize) this.#split(block)
  }

  delete(key: string): void {
    const index = this.#blockIndex(key)
    const block = this.#blocks[index]
    if (block === undefined) return
    const at = lowerBound(block.entries, key)
    if (block.entries[at]?.key !== key) return
    block.entries.splice(at, 1)
    block.changed()
    this.#size--
    if (block.entries.length === 0) this.#blocks.splice(index, 1)
  }

  get(key: string): Entry | undefined {
    const block = this.#blockFor(key)
    const entry = block?.entries[lowerBound(block.entries, key)]
    return entry?.key === key ? entry : undefined
  }

  /** Entries with `from <= key < to` that the filter wants, in order. */
  *range(from: string, to: string, filter?: EntryFilter): Generator<Entry> {
    const first = this.#blockIndex(from)
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

  /** How many entries have `from <= key < to`. */
  count(from: string, to: string): number {
    let count = 0
    for (let index = this.#blockIndex(from); index < this.#blocks.length; index++) {
      const entries = this.#blocks[index]?.entries ?? []
      if ((entries[0]?.key ?? to) >= to) break
      count += lowerBound(entries, to) - lowerBound(entries, from)
    }
    return count
  }

  /** The joined list items of `from <= key < to`, one buffer a block: together a consistent snapshot, since a write
   *  makes a new buffer and never changes one. `join` is called for what no segment is kept of. */
  segments(from: string, to: string, join: (entries: readonly Entry[]) => Buffer): Buffer[] {
    const segments: Buffer[] = []
    for (let index = this.#blockIndex(from); index < this.#blocks.length; index++) {
      const block = this.#blocks[index]
      if (block === undefined || (block.entries[0]?.key ?? to) >= to) break
      const start = lowerBound(block.entries, from)
      const end = lowerBound(block.entries, to)
      if (start === end) continue
      segments.push(block.segment(start, end, join))
    }
    return segments
  }

  #split(block: Block): void {
    const upper = block.entries.splice(targetSize)
    this.#blocks.splice(this.#blocks.indexOf(block) + 1, 0, new Block(upper))
  }

  #blockFor(key: string): Block | undefined {
    return this.#blocks[Math.min(this.#blockIndex(key), this.#blocks.length - 1)]
  }

  /** The block that holds `key` or would: the last one whose first key is not above it, else the first. */
  #blockIndex(key: string): number {
    const blocks = this.#blocks
    const above = partitionPoint(
      0,
      blocks.length,
      (index) => (blocks[index]?.entries[0]?.key ?? '') <= key,
    )
    return Math.max(0, above - 1)
  }
}

function lowerBound(entries: readonly Entry[], key: string): number {
  return partitionPoint(0, entries.length, (index) => (entries[index]?.key ?? '') < key)
}
