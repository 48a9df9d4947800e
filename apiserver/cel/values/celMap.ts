import { celKey } from './celKey.ts'
import { mapping, type Mapping } from './mapping.ts'

/** Map created by an expression. */
export class CelMap implements Mapping {
  readonly [mapping] = true
  readonly #entries = new Map<string, readonly [unknown, unknown]>()

  constructor(entries: Iterable<readonly [unknown, unknown]> = []) {
    for (const [key, value] of entries) this.#entries.set(celKey(key), [key, value])
  }

  get size(): number {
    return this.#entries.size
  }

  find(key: unknown): unknown {
    return this.#entries.get(celKey(key))?.[1]
  }

  *keys(): Iterable<unknown> {
    for (const [key] of this.#entries.values()) yield key
  }

  /** Copy of the map with additional entries. @throws Error for a duplicate key. */
  with(entries: Iterable<readonly [unknown, unknown]>): CelMap {
    const made = new CelMap(this.#entries.values())
    for (const [key, value] of entries) {
      if (made.find(key) !== undefined)
        throw new Error(`insert failed: key ${String(key)} already exists`)
      made.#entries.set(celKey(key), [key, value])
    }
    return made
  }
}
