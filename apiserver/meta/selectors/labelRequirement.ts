/** A condition of a label selector. */
export interface LabelRequirement {
  readonly key: string
  readonly operator: LabelOperator
  /** Sorted values without repeats. None for `exists` and `!`, one for all others except `in` and `notin`. */
  readonly values: readonly string[]
}

/**
 * `!=`, `notin` and `!` hold for objects without the key, all others do not. `gt` and `lt` compare 64-bit integers and
 * do not hold for other values.
 */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt'
