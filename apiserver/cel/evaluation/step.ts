import type { Frame } from './frame.ts'

/** Planned part of an expression. */
export interface Step {
  /** Evaluates the part. @throws Error if it fails. */
  run: (frame: Frame) => unknown
  /** Value of a constant part; absent: not constant. */
  constant?: { value: unknown }
  /** Attribute that the step reads, and that selections may extend. */
  attribute?: Attribute
  /** True if the step is a conditional, which itself reads nothing. */
  isCondition?: boolean
}

/** Access to a part of a value: a field, or the item at an index. */
export interface Qualifier {
  key: Step
  /** True if the result is an optional; undefined represents an absent value. */
  isOptional: boolean
  /** True if the step only tests whether the field exists. */
  isTest?: boolean
  /** True if the index is free of charge; a computed index has its own cost. */
  isFree: boolean
}

/**
 * A value, and the path that is read from it step by step. Source: the costs of kube-apiserver
 * 1.37.2.
 */
export interface Attribute {
  /** Value at which the path starts. */
  base: (frame: Frame) => unknown
  qualifiers: readonly Qualifier[]
}

export function constantStep(value: unknown): Step {
  return { run: () => value, constant: { value } }
}
