import type { Cost } from '../cost/actualCosts.ts'
import type { Coster } from '../cost/estimates.ts'

/** What a form of a function gives for its arguments, of which a method's receiver is the first. The signature says their
 *  types. @throws Error with what is wrong with them. */
export type Run = (...args: never[]) => unknown

/** One form of a function that costs otherwise than the others. */
export interface Form {
  run: Run
  cost?: Cost
  estimate?: Coster
}

/** All that is known of a function or an operator. */
export interface FunctionRow {
  /** By their signatures: what a form takes, then what it gives. A point marks a method, `#` the name of the form. */
  forms: Readonly<Record<string, Run | Form>>
  /** What a call costs that was made; absent: 1. */
  cost?: Cost
  /** What a call costs at most, and how large what it gives is; absent: 1. */
  estimate?: Coster
}

export type FunctionTable = Readonly<Record<string, FunctionRow>>

/** The same evaluation for several signatures. */
export function each(signatures: readonly string[], run: Run): Record<string, Run> {
  return Object.fromEntries(signatures.map((signature) => [signature, run]))
}

/** Characters or items of one value that a rule makes. */
export const mostMade = 4 * 1024 * 1024

/** What an evaluation is ended with that costs too much: no operator takes it for a failed operand. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded')
  }
}

/** @throws CostExceeded for what would take more memory than a rule is given. */
export function withinCost<T extends string | readonly unknown[]>(made: T): T {
  if (made.length > mostMade) throw new CostExceeded()
  return made
}
