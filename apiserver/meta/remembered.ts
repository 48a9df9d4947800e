/** The same function with a memory, for texts of which clients send few different ones and send them always. What it
 *  gives is shared. */
export function remembered<Value>(compute: (text: string) => Value): (text: string) => Value {
  const values = new Map<string, Value>()
  return (text) => {
    const known = values.get(text)
    if (known !== undefined) return known
    const value = compute(text)
    // Texts that all differ are not worth remembering, and must not fill the memory: start over.
    if (values.size >= maxTexts) values.clear()
    if (text.length <= maxLength) values.set(text, value)
    return value
  }
}

const maxTexts = 500
const maxLength = 1000
