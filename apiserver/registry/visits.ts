import type { Allowance } from '../meta/collections/allowance.ts'

/** Work that the cells of a row may still cost. */
export interface Visits {
  /** Number of values that the searching steps of paths may still visit. */
  left: number
  /** Number of steps of paths that may still be taken. */
  steps: number
  /** Length of the texts that cells of the table may still have; all rows share it. */
  readonly text: Allowance
  /** JSON texts of values in the row, each created once. */
  texts?: Map<unknown, string>
}

/** Text of the cells of a table with so many rows: 4 Mi characters, and 16 Ki for each row. */
export function newTextAllowance(rows = 1): Allowance {
  return { left: 4 * 1024 * 1024 + rows * 16 * 1024 }
}

/** The visits of one object, which any number of paths may search. */
export function newVisits(text = newTextAllowance()): Visits {
  return { left: 100_000, steps: 1_000_000, text }
}
