/**
 * Index of the quote that ends the string starting at `start`; the length of `text` if it is not
 * terminated.
 */
export function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

/** Reports whether an odd number of backslashes precedes `at`. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === 0x5c) before--
  return (at - before) % 2 === 0
}

const number = /-?\d[\d.eE+-]*/y

/** The numbers in a JSON document, as written, with their positions. */
export function* numbersIn(text: string): Generator<{ at: number; number: string }> {
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) at = stringEnd(text, at)
    if (char !== 0x2d && (char < 0x30 || char > 0x39)) continue
    number.lastIndex = at
    const [found] = number.exec(text) ?? []
    if (found === undefined) continue
    yield { at, number: found }
    at += found.length - 1
  }
}
