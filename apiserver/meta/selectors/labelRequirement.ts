/** One condition of a label selector. */
export interface LabelRequirement {
  readonly key: string
  readonly operator: LabelOperator
  /** Sorted and without repeats. None for `exists` and `!`, one for all others but `in` and `notin`. */
  readonly values: readonly string[]
}

/** `!=`, `notin` and `!` hold for objects without the key, all others fail for them. `gt` and `lt` compare 64-bit
 *  integers and fail for values that are none. */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt'
