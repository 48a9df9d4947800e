/** Says of each value whether it stands in the list before, too. There may be tens of thousands, and whoever looks from the
 *  start for each takes the square of their number. */
export function repeats(values: readonly unknown[]): boolean[] {
  const seen = new Set<unknown>()
  return values.map((value) => seen.size === seen.add(value).size)
}
