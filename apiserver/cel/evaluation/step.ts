import type { Frame } from './frame.ts'

/** A part of an expression that was made ready to run. */
export interface Step {
  /** @throws Error where the part fails. */
  run: (frame: Frame) => unknown
  /** Constant result. */
  constant?: { value: unknown }
  /** Attribute that the step reads; selections may extend it. */
  attribute?: Attribute
  /** Whether the step is a conditional, which reads nothing itself. */
  isCondition?: boolean
}

/** Access to a part of a value: a field, or the item at an index. */
export interface Qualifier {
  key: Step
  /** undefined is no value: the outcome is an optional. */
  isOptional: boolean
  /** Whether it only asks if the field is there. */
  isTest?: boolean
  /** An index that is found out with the read costs by itself. */
  isFree: boolean
}

/** A value with what is read of it, one step after the other. Source: the costs of kube-apiserver 1.37.2. */
export interface Attribute {
  /** Root of the attribute. */
  base: (frame: Frame) => unknown
  qualifiers: readonly Qualifier[]
}

export function constantStep(value: unknown): Step {
  return { run: () => value, constant: { value } }
}
