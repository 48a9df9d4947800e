/** How often values fell between bounds, kept as plain numbers: whoever shows them adds them up. */
export class Histogram {
  readonly bounds: readonly number[]
  /** How many values were at most as large as each bound, and above the one before; the last: above all. */
  readonly counts: number[]
  sum = 0

  /** `bounds` ascend. */
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

  /** Adds all that `other`, with the same bounds, counted. */
  merge(other: Histogram): void {
    for (const [at, count] of other.counts.entries()) {
      this.counts[at] = (this.counts[at] ?? 0) + count
    }
    this.sum += other.sum
  }

  /** How many values there were. */
  get total(): number {
    return this.counts.reduce((sum, count) => sum + count, 0)
  }
}
