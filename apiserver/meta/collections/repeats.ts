/**
 * Whether each value occurs earlier in the list. It takes linear time, since lists may have tens of thousands of
 * values.
 */
export function repeats(values: readonly unknown[]): boolean[] {
  const seen = new Set<unknown>()
  return values.map((value) => seen.size === seen.add(value).size)
}
