import type { Frame } from './frame.ts'

/** Planned part of an expression. */
export interface Step {
  /** Evaluates the part. @throws Error if it fails. */
  run: (frame: Frame) => unknown
  /** Constant result. */
  constant?: { value: unknown }
  /** Attribute that the step reads; selections may extend it. */
  attribute?: Attribute
  /** True if the step is a conditional, which reads nothing itself. */
  isCondition?: boolean
}

/** Access to a part of a value: a field, or the item at an index. */
export interface Qualifier {
  key: Step
  /** True if the result is an optional; undefined represents an absent value. */
  isOptional: boolean
  /** True if the step only tests for the field. */
  isTest?: boolean
  /** True for a free index; a computed index has a cost of its own. */
  isFree: boolean
}

/** Value and the path read from it, step by step. Source: the costs of kube-apiserver 1.37.2. */
export interface Attribute {
  /** Root of the attribute. */
  base: (frame: Frame) => unknown
  qualifiers: readonly Qualifier[]
}

export function constantStep(value: unknown): Step {
  return { run: () => value, constant: { value } }
}
