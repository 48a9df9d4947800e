import { Block, type EntryFilter, type ItemForm } from './block.ts'
import type { Entry } from './cacheEntry.ts'
import { blockIndexOf, lowerBound, OrderedBlocks } from './orderedBlocks.ts'

const targetSize = 128

/** The entries of one resource in key order, in blocks of about 128: a write touches one block, and an unchanged block
 *  keeps its part of the LIST body. */
export class BlockList {
  #blocks: Block[] = []
  #view = new OrderedBlocks(this.#blocks)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** An immutable view of the current entries. It costs a few words per block. */
  snapshot(): OrderedBlocks {
    for (const block of this.#blocks) block.isShared = true
    return new OrderedBlocks([...this.#blocks])
  }

  /** Replaces all entries. `entries` are in key order. */
  load(entries: readonly Entry[]): void {
    this.#blocks = []
    this.#view = new OrderedBlocks(this.#blocks)
    this.#size = entries.length
    for (let at = 0; at < entries.length; at += targetSize) {
      this.#blocks.push(new Block(entries.slice(at, at + targetSize)))
    }
  }

  set(entry: Entry): void {
    const index = blockIndexOf(this.#blocks, entry.key)
    const block = this.#writable(index)
    if (block === undefined) {
      this.#blocks.push(new Block([entry]))
      this.#size++
      return
    }
    const at = lowerBound(block.entries, entry.key)
    if (block.entries[at]?.key === entry.key) {
      block.entries[at] = entry
      return
    }
    block.entries.splice(at, 0, entry)
    this.#size++
    if (block.entries.length > 2 * targetSize) this.#split(block, index)
  }

  delete(key: string): void {
    if (this.get(key) === undefined) return
    const index = blockIndexOf(this.#blocks, key)
    const block = this.#writable(index)
    if (block === undefined) return
    block.entries.splice(lowerBound(block.entries, key), 1)
    this.#size--
    if (block.entries.length === 0) this.#blocks.splice(index, 1)
  }

  get(key: string): Entry | undefined {
    return this.#view.get(key)
  }

  /** A live view: see OrderedBlocks. */
  range(from: string, to: string, filter?: EntryFilter): Iterable<Entry> {
    return this.#view.range(from, to, filter)
  }

  count(from: string, to: string): number {
    return this.#view.count(from, to)
  }

  segments(from: string, to: string, form: ItemForm): Buffer[] {
    return this.#view.segments(from, to, form)
  }

  /** The block at `index` for modification: a copy if a snapshot refers to it. */
  #writable(index: number): Block | undefined {
    const block = this.#blocks[index]
    if (block?.isShared !== true) {
      block?.changed()
      return block
    }
    const copy = new Block([...block.entries])
    this.#blocks[index] = copy
    return copy
  }

  #split(block: Block, index: number): void {
    const upper = block.entries.splice(targetSize)
    this.#blocks.splice(index + 1, 0, new Block(upper))
  }
}
