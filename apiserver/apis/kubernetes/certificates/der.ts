/** A value in DER. Source: ITU-T X.690. */
export interface Element {
  tag: number
  /** The element with its tag and length. */
  whole: Buffer
  content: Buffer
}

/** Maximum number of elements in a sequence: a megabyte may contain half a million. */
const maxElements = 10_000

/** Elements of a DER sequence; undefined: malformed, or too many. */
export function elements(der: Buffer): Element[] | undefined {
  const found: Element[] = []
  let rest = der
  while (rest.length > 0) {
    const header = headerOf(rest)
    if (header === undefined || header.end > rest.length) return undefined
    if (found.length === maxElements) return undefined
    const { start, end } = header
    const [whole, content] = [rest.subarray(0, end), rest.subarray(start, end)]
    found.push({ tag: rest[0] ?? 0, whole, content })
    rest = rest.subarray(end)
  }
  return found
}

function headerOf(der: Buffer): { start: number; end: number } | undefined {
  const first = der[1]
  if (first === undefined) return undefined
  if (first < 0x80) return { start: 2, end: 2 + first }
  const count = first - 0x80
  if (count === 0 || count > 4 || der.length < 2 + count) return undefined
  const start = 2 + count
  return { start, end: start + der.readUIntBE(2, count) }
}
