/** Results by a text, for texts of which clients send few different ones and send them always. They are shared. */
export class Memory<Value> {
  readonly #values = new Map<string, Value>()

  /** What `compute` gave for this text, or gives now. */
  of(text: string, compute: (text: string) => Value): Value {
    const known = this.#values.get(text)
    if (known !== undefined || this.#values.has(text)) return known as Value // Undefined may be a result.
    const value = compute(text)
    // Texts that all differ are not worth remembering, and must not fill the memory: start over.
    if (this.#values.size >= maxTexts) this.#values.clear()
    if (text.length <= maxLength) this.#values.set(text, value)
    return value
  }
}

/** The same function with a memory. */
export function remembered<Value>(compute: (text: string) => Value): (text: string) => Value {
  const memory = new Memory<Value>()
  return (text) => memory.of(text, compute)
}

const maxTexts = 500
const maxLength = 1000
