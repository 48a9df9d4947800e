/**
 * Key order is the byte order of UTF-8, as in LevelDB. JavaScript compares UTF-16 units, which differs only if both
 * keys contain a unit from the surrogates upward: a surrogate pair encodes a character above U+FFFF.
 */
export type Compare = (a: string, b: string) => number

const wide = /[\ud800-\uffff]/

/** The cheapest comparison that is correct for `key` and any other key. */
export function compareWith(key: string): Compare {
  return wide.test(key) ? compareKeys : compareUnits
}

/** Compares two keys in byte order of UTF-8. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

function compareUnits(a: string, b: string): number {
  if (a < b) return -1
  return a === b ? 0 : 1
}

/** Ranks surrogates above the other units, as in UTF-8. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
