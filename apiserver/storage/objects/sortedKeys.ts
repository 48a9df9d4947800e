import { partitionPoint } from '../../meta/collections/partitionPoint.ts'
import { compareWith, type Compare } from './compareKeys.ts'

const fullBlock = 256
const halfBlock = 128
const sparseBlock = 32

/**
 * A set of keys in byte order of UTF-8, in blocks of about 128. An insert moves one block, not the
 * whole order. Keys that arrive in order fill blocks from the end, without a search. No block is
 * empty.
 */
export class SortedKeys {
  #blocks: string[][] = []

  /** Inserts an absent key. */
  insert(key: string): void {
    const compare = compareWith(key)
    if (this.#append(key, compare)) return
    const at = this.#blockOf(key, compare)
    const block = this.#blocks[at] ?? []
    block.splice(lowerBound(block, key, compare), 0, key)
    if (block.length >= fullBlock) this.#blocks.splice(at + 1, 0, block.splice(halfBlock))
  }

  /** Removes a key; does nothing if it is absent. */
  delete(key: string): void {
    const compare = compareWith(key)
    const at = this.#blockOf(key, compare)
    const block = this.#blocks[at] ?? []
    const index = lowerBound(block, key, compare)
    if (block[index] !== key) return
    block.splice(index, 1)
    this.#mergeSparse(at, block)
  }

  /** Visits the keys at or after `start`, in order, until `visit` returns false. */
  walk(start: string, visit: (key: string) => boolean): void {
    const compare = compareWith(start)
    const first = this.#blockOf(start, compare)
    for (let at = first; at < this.#blocks.length; at++) {
      const block = this.#blocks[at] ?? []
      for (let i = at === first ? lowerBound(block, start, compare) : 0; i < block.length; i++) {
        const key = block[i]
        if (key !== undefined && !visit(key)) return
      }
    }
  }

  #append(key: string, compare: Compare): boolean {
    const last = this.#blocks.at(-1)
    if (last === undefined) {
      this.#blocks.push([key])
      return true
    }
    if (compare(last.at(-1) ?? '', key) >= 0) return false
    if (last.length < halfBlock) last.push(key)
    else this.#blocks.push([key])
    return true
  }

  /** The last block that starts at or before `key`, or the first one. */
  #blockOf(key: string, compare: Compare): number {
    const blocks = this.#blocks
    const isBelow = (index: number) => compare(blocks[index]?.[0] ?? '', key) <= 0
    return Math.max(0, partitionPoint(0, blocks.length, isBelow) - 1)
  }

  /** Merges sparse blocks, so that deletions do not leave thousands of nearly empty ones. */
  #mergeSparse(at: number, block: string[]): void {
    if (block.length >= sparseBlock) return
    const next = this.#blocks[at + 1]
    if (block.length === 0) this.#blocks.splice(at, 1)
    else if (next !== undefined && next.length < halfBlock) {
      this.#blocks.splice(at, 2, block.concat(next))
    }
  }
}

function lowerBound(block: readonly string[], key: string, compare: Compare): number {
  return partitionPoint(0, block.length, (index) => compare(block[index] ?? '', key) < 0)
}
