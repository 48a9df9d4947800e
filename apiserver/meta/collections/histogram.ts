/** Counts of values between bounds, as plain numbers: exporters compute cumulative sums. */
export class Histogram {
  readonly bounds: readonly number[]
  /**
   * Number of values up to each bound and above the previous one; the last count is of values above
   * all bounds.
   */
  readonly counts: number[]
  sum = 0

  /** @param bounds in ascending order. */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = new Array<number>(bounds.length + 1).fill(0)
  }

  add(value: number): void {
    const { bounds, counts } = this
    let at = 0
    while (at < bounds.length && value > (bounds[at] ?? Infinity)) at++
    counts[at] = (counts[at] ?? 0) + 1
    this.sum += value
  }

  /** Adds the counts of `other`, which has the same bounds. */
  merge(other: Histogram): void {
    for (const [at, count] of other.counts.entries()) {
      this.counts[at] = (this.counts[at] ?? 0) + count
    }
    this.sum += other.sum
  }

  get total(): number {
    return this.counts.reduce((sum, count) => sum + count, 0)
  }
}
