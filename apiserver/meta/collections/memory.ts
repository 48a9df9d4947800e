/** A cache of results by string, for strings that clients repeat. Results are shared. */
export class Memory<Value> {
  readonly #values = new Map<string, Value>()

  /** The cached result for this string, or the result of `compute`. */
  of(text: string, compute: (text: string) => Value): Value {
    const known = this.#values.get(text)
    if (known !== undefined || this.#values.has(text)) return known as Value // undefined may be a result
    const value = compute(text)
    // Strings that all differ are not worth caching, and must not fill the memory: start over.
    if (this.#values.size >= maxTexts) this.#values.clear()
    if (text.length <= maxLength) this.#values.set(text, value)
    return value
  }
}

/** A function with a cache. */
export function remembered<Value>(compute: (text: string) => Value): (text: string) => Value {
  const memory = new Memory<Value>()
  return (text) => memory.of(text, compute)
}

const maxTexts = 500
const maxLength = 1000
