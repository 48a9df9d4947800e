/** Line of the table. */
export interface Row {
  /** Stable identifier, so that later runs can be compared. */
  id: string
  what: string
  ours: number
  unit: string
  /** Raw limit of the same run. */
  raw?: { value: number; what: string }
  /**
   * Goal; `ratio`: ours / raw is at least this; `most`, `least`: ours is at most, or at least,
   * this.
   */
  aim?: { ratio: number } | { most: number } | { least: number }
  /** Additional numbers of the same measurement. */
  detail?: string
  /** Violation that counts as a missed goal, whatever the speed. */
  fault?: string
}

/** Ratio of ours to the raw limit; undefined without a limit. */
export function ratioOf({ ours, raw }: Row): number | undefined {
  return raw === undefined || raw.value === 0 ? undefined : ours / raw.value
}

export function isReached(row: Row): boolean | undefined {
  const { aim, ours, fault } = row
  if (fault !== undefined) return false
  if (aim === undefined) return undefined
  if ('most' in aim) return ours <= aim.most
  return 'least' in aim ? ours >= aim.least : (ratioOf(row) ?? 0) >= aim.ratio
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}
