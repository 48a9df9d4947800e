/**
 * The order in which the Go library writes keys: symbols before letters, letters by code point, and runs of digits as
 * numbers (`a2` before `a10`). Source: sigs.k8s.io/yaml, sorter.
 */
export function compareYamlKeys(a: string, b: string): number {
  const left = [...a]
  const right = [...b]
  const at = left.findIndex((char, index) => char !== right[index])
  const x = left[at]
  const y = right[at]
  if (x === undefined || y === undefined) return left.length - right.length
  if (isLetter(x) !== isLetter(y)) return isLetter(x) ? 1 : -1
  if (isLetter(x)) return codePoint(x) - codePoint(y)
  return compareDigits(left, right, at) || codePoint(x) - codePoint(y)
}

/**
 * Compares the numbers at `at`, by value, then by length. If one of them begins with a zero within a longer number,
 * only their lengths are compared.
 */
function compareDigits(left: readonly string[], right: readonly string[], at: number): number {
  const inNumber = (left[at] === '0' || right[at] === '0') && endsNumber(left.slice(0, at))
  const start = inNumber ? '1' : ''
  const x = digits(left, at)
  const y = digits(right, at)
  return Number(start + x) - Number(start + y) || x.length - y.length
}

/** Whether the digits at the end of `chars` contain a non-zero one. */
function endsNumber(chars: readonly string[]): boolean {
  return /[1-9][0-9]*$/.test(chars.join(''))
}

function digits(chars: readonly string[], at: number): string {
  return /^[0-9]*/.exec(chars.slice(at).join(''))?.[0] ?? ''
}

function isLetter(char: string): boolean {
  return /\p{L}/u.test(char)
}

function codePoint(char: string): number {
  return char.codePointAt(0) ?? 0
}
