import type { KeyRange, StoredValue } from '../storage.ts'
import { compareWith } from './compareKeys.ts'
import { SortedKeys } from './sortedKeys.ts'

/** The newest committed values of a storage in memory, by key and in key order. */
export class Objects {
  readonly #values = new Map<string, StoredValue>()
  readonly #order = new SortedKeys()

  get size(): number {
    return this.#values.size
  }

  get(key: string): StoredValue | undefined {
    return this.#values.get(key)
  }

  keys(): Iterable<string> {
    return this.#values.keys()
  }

  /** Keys that arrive in order are appended. */
  set(stored: StoredValue): void {
    if (!this.#values.has(stored.key)) this.#order.insert(stored.key)
    this.#values.set(stored.key, stored)
  }

  /** Does nothing when the key is absent. */
  delete(key: string): void {
    if (this.#values.delete(key)) this.#order.delete(key)
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
}

function startOf({ prefix, start }: KeyRange): string {
  return start !== undefined && compareWith(start)(start, prefix) > 0 ? start : prefix
}
