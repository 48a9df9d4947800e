/** Sorts a list in its place. Names that come from an object are mostly in order, and seeing that costs a fraction. */
export function sortInPlace(names: string[], compare: (a: string, b: string) => number): string[] {
  for (let at = 1; at < names.length; at++) {
    if (compare(names[at - 1] ?? '', names[at] ?? '') > 0) return names.sort(compare)
  }
  return names
}
