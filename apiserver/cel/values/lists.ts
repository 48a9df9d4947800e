/**
 * List of a schema with identifiable items: the order of sets, and of lists with keys, is
 * irrelevant.
 */
export class KeyedList {
  readonly items: readonly unknown[]
  /** Key of an item. @throws Error for items that lists of this type cannot contain. */
  readonly keyOf: (item: unknown) => string
  readonly #isMap: boolean

  constructor(
    items: readonly unknown[],
    { keyOf, isMap }: { keyOf: (item: unknown) => string; isMap: boolean },
  ) {
    this.items = items
    this.keyOf = keyOf
    this.#isMap = isMap
  }

  /**
   * Concatenation with another list: a set gains new items; keyed items replace those with the same
   * key.
   */
  joined(others: readonly unknown[]): KeyedList {
    const items = [...this.items]
    const places = new Map(items.map((item, at) => [this.keyOf(item), at]))
    for (const item of others) {
      const key = this.keyOf(item)
      const at = places.get(key)
      if (at === undefined) {
        places.set(key, items.length)
        items.push(item)
      } else if (this.#isMap) items[at] = item
    }
    return new KeyedList(items, { keyOf: this.keyOf, isMap: this.#isMap })
  }

  /** Reports whether another list has the same items, in any order. */
  equals(others: readonly unknown[], isEqual: (one: unknown, other: unknown) => boolean): boolean {
    const { items, keyOf } = this
    if (items.length !== others.length) return false
    const known = new Map(items.map((item) => [keyOf(item), item]))
    const seen = new Set<string>()
    for (const other of others) {
      const key = keyOf(other)
      if (!known.has(key) || (this.#isMap && !isEqual(known.get(key), other))) return false
      seen.add(key)
    }
    return seen.size === known.size
  }
}

/** Items of a list; undefined: not a list. */
export function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as readonly unknown[]
  return value instanceof KeyedList ? value.items : undefined
}
