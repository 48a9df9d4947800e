import { CostExceeded } from '../values/costExceeded.ts'
import type { Cost } from '../cost/actualCosts.ts'
import type { Coster } from '../cost/estimates.ts'

/**
 * Evaluation of an overload; the receiver of a method comes first. The signature ensures the types
 * of the arguments.
 * @throws Error with the problem of the arguments.
 */
export type Run = (...args: never[]) => unknown

/** Overload with its own cost. */
export interface Form {
  run: Run
  cost?: Cost
  estimate?: Coster
}

/** Definition of a function or an operator. */
export interface FunctionRow {
  /**
   * Overloads by signature: parameter types, then the result type. A leading dot marks a method,
   * `#` precedes the name of the overload.
   */
  forms: Readonly<Record<string, Run | Form>>
  /** Actual cost of a call. Default: 1. */
  cost?: Cost
  /** Estimated maximum cost and result size of a call. Default: 1. */
  estimate?: Coster
}

export type FunctionTable = Readonly<Record<string, FunctionRow>>

/** Uses the same evaluation for several signatures. */
export function each(signatures: readonly string[], run: Run): Record<string, Run> {
  return Object.fromEntries(signatures.map((signature) => [signature, run]))
}

/** Maximum size of a value that a rule creates, in characters or items. */
export const mostMade = 4 * 1024 * 1024

/** Checks the size of a created value. @throws CostExceeded if it exceeds `mostMade`. */
export function withinCost<T extends { readonly length: number }>(made: T): T {
  if (made.length > mostMade) throw new CostExceeded()
  return made
}
