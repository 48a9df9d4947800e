import type { Attribute } from './attributes.ts'
import type { Frame } from './frame.ts'

/** A part of an expression that was made ready to run. */
export interface Step {
  /** @throws Error where the part fails. */
  run: (frame: Frame) => unknown
  /** What it always gives. */
  constant?: { value: unknown }
  /** What it reads, of which more may be read. */
  attribute?: Attribute
  /** It chooses between others: nothing is read of itself. */
  isCondition?: boolean
}

export function constantStep(value: unknown): Step {
  return { run: () => value, constant: { value } }
}
