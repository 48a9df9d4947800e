/**
 * Flags, for each value, an equal value earlier in the list. Takes linear time: lists may have tens of thousands of
 * values.
 */
export function repeats(values: readonly unknown[]): boolean[] {
  const seen = new Set<unknown>()
  return values.map((value) => seen.size === seen.add(value).size)
}
