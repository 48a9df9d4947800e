/** The first of the indices from `from` up to `to` at which `isBelow` does not hold; `to` when it holds at all. It has to
 *  hold at none behind one at which it does not. */
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
