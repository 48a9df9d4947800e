/**
 * The first index from `from` to `to` (exclusive) for which `isBelow` is false; `to` if there is none. `isBelow` must
 * be false for all indices after the first false one.
 */
export function partitionPoint(
  from: number,
  to: number,
  isBelow: (index: number) => boolean,
): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBelow(middle)) low = middle + 1
    else high = middle
  }
  return low
}
