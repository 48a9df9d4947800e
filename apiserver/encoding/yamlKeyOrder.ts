/**
 * The order in which the Go library writes keys: symbols before letters, letters by code point, and runs of digits as
 * numbers (`a2` before `a10`). Source: sigs.k8s.io/yaml, sorter.
 */
export function compareYamlKeys(a: string, b: string): number {
  const at = firstDifference(a, b)
  const x = a.codePointAt(at)
  const y = b.codePointAt(at)
  if (x === undefined || y === undefined) return a.length - b.length
  if (isLetter(x) !== isLetter(y)) return isLetter(x) ? 1 : -1
  if (isLetter(x)) return x - y
  return compareDigits(a, b, at) || x - y
}

/** The index of the first code point in which they differ. */
function firstDifference(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at++
  const isWithinPair = at > 0 && isLowSurrogate(a, at) && isLowSurrogate(b, at)
  return isWithinPair ? at - 1 : at
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00
}

/**
 * Compares the numbers at `at`, by value, then by length. If one of them begins with a zero within a longer number,
 * only their lengths are compared.
 */
function compareDigits(a: string, b: string, at: number): number {
  const inNumber = (a[at] === '0' || b[at] === '0') && endsNumber(a, at)
  const start = inNumber ? '1' : ''
  const x = digits(a, at)
  const y = digits(b, at)
  return Number(start + x) - Number(start + y) || x.length - y.length
}

/** Reports whether the digits before `end` include a non-zero one. */
function endsNumber(text: string, end: number): boolean {
  for (let at = end - 1; at >= 0 && isDigit(text.charCodeAt(at)); at--) {
    if (text[at] !== '0') return true
  }
  return false
}

function digits(text: string, start: number): string {
  let end = start
  while (isDigit(text.charCodeAt(end))) end++
  return text.slice(start, end)
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isLetter(code: number): boolean {
  if (code < 0x80) return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
  return /\p{L}/u.test(String.fromCodePoint(code))
}
