/** Sorts a list in place. Names from an object are mostly sorted already, which is cheaper to check. */
export function sortInPlace(names: string[], compare: (a: string, b: string) => number): string[] {
  for (let at = 1; at < names.length; at++) {
    if (compare(names[at - 1] ?? '', names[at] ?? '') > 0) return names.sort(compare)
  }
  return names
}
