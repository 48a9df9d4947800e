import type { Change, KeyRange, StoredValue } from '../storage.ts'
import { compareWith } from './compareKeys.ts'
import type { HistoryIndex } from './historyIndex.ts'
import { SortedKeys } from './sortedKeys.ts'

/** The committed state in memory: every object, and what the kept history is about. Reads of the newest state never
 *  touch the disk. It changes only in the turn in which a batch became durable. */
export class Image {
  #values = new Map<string, StoredValue>()
  #order = new SortedKeys()
  #history: HistoryIndex
  #revision = 0
  #compacted = 0
  #digest = 0

  constructor(history: HistoryIndex) {
    this.#history = history
  }

  get revision(): number {
    return this.#revision
  }
  get compacted(): number {
    return this.#compacted
  }
  get digest(): number {
    return this.#digest
  }
  get history(): HistoryIndex {
    return this.#history
  }
  get size(): number {
    return this.#values.size
  }

  get(key: string): StoredValue | undefined {
    return this.#values.get(key)
  }

  /** Values of `range` in key order that `wanted` accepts, at most `limit`; 0: all. */
  collect(range: KeyRange, limit: number, wanted?: (key: string) => boolean): StoredValue[] {
    const items: StoredValue[] = []
    this.#order.walk(startOf(range), (key) => {
      if (!key.startsWith(range.prefix)) return false
      const stored = this.#values.get(key)
      if (stored === undefined || wanted?.(key) === false) return true
      return items.push(stored) !== limit
    })
    return items
  }

  /** One object while loading; in key order this is an append. */
  load(stored: StoredValue): void {
    this.#values.set(stored.key, stored)
    this.#order.insert(stored.key)
  }

  setCounters(counters: { revision: number; compacted: number; digest: number }): void {
    this.#revision = counters.revision
    this.#compacted = counters.compacted
    this.#digest = counters.digest
  }

  /** A durable batch: changes without a gap from the next revision on, and the digest they lead to. */
  apply(changes: readonly Change[], digest: number): void {
    for (const change of changes) this.#applyOne(change)
    this.#digest = digest
  }

  compactThrough(revision: number): void {
    this.#compacted = revision
    this.#history.dropThrough(revision)
  }

  /** Takes over what was read from disk anew. Reads on their way captured what they need and are not disturbed. */
  become(other: Image): void {
    this.#values = other.#values
    this.#order = other.#order
    this.#history = other.#history
    this.setCounters(other)
  }

  #applyOne(change: Change): void {
    const { key, revision, value } = change
    if (value === undefined) {
      this.#values.delete(key)
      this.#order.delete(key)
    } else {
      if (change.previous === undefined) this.#order.insert(key)
      this.#values.set(key, { key, revision, value })
    }
    this.#history.appendChange(change)
    this.#revision = revision
  }
}

function startOf({ prefix, start }: KeyRange): string {
  return start !== undefined && compareWith(start)(start, prefix) > 0 ? start : prefix
}
