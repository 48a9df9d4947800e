import type { Unsigned } from '../values/scalars.ts'

/**
 * Parsed expression, in which macros are expanded and operators are calls. Source: the language's
 * definition, "Macros", and the macros of its extended libraries.
 */
export type Expr = Literal | Name | Select | Call | ListExpr | MapExpr | StructExpr | Fold

interface Placed {
  /** Offset in the source, in characters; for parts created by a macro, that of the macro. */
  at?: number | undefined
}

export interface Literal extends Placed {
  is: 'literal'
  value: LiteralValue
}

export type LiteralValue = null | boolean | bigint | number | string | Uint8Array | Unsigned

export interface Name extends Placed {
  is: 'name'
  name: string
}

export interface Select extends Placed {
  is: 'select'
  of: Expr
  field: string
  /** True if the expression tests whether the field exists. */
  isTest: boolean
}

export interface Call extends Placed {
  is: 'call'
  name: string
  /** Receiver of a method; undefined: a function. */
  target: Expr | undefined
  args: readonly Expr[]
}

export interface ListExpr extends Placed {
  is: 'list'
  items: readonly Expr[]
  /** Positions of items that are omitted if their optional is empty. */
  optional?: ReadonlySet<number>
}

export interface MapExpr extends Placed {
  is: 'map'
  entries: readonly (readonly [key: Expr, value: Expr])[]
  optional?: ReadonlySet<number>
}

/** Value of a named type, such as `JSONPatch{op: "add"}`. */
export interface StructExpr extends Placed {
  is: 'struct'
  /** Full name of the type. */
  type: string
  fields: readonly StructField[]
}

export interface StructField {
  name: string
  value: Expr
  /** Position of the colon, in characters. */
  at: number
  /** True if the field is omitted when its optional is empty. */
  isOptional: boolean
}

/**
 * Loop over the items or keys of `range` or, with two variables, over its keys or indexes with
 * their values.
 */
export interface Fold extends Placed {
  is: 'fold'
  range: Expr
  variables: readonly string[]
  /** Name of the accumulator. */
  result: string
  initial: Expr
  condition: Expr
  step: Expr
  outcome: Expr
}

/** Variable of a loop over an empty list, which only binds its accumulator to a name. */
export const unused = '#unused'

/** Reports whether a loop only binds a name. */
export function isBinding({ variables }: Fold): boolean {
  return variables[0] === unused
}

export function literal(value: LiteralValue, at?: number): Literal {
  return { is: 'literal', value, at }
}

export function name(text: string, at?: number): Name {
  return { is: 'name', name: text, at }
}

export function select(of: Expr, field: string, isTest = false): Select {
  return { is: 'select', of, field, isTest }
}

export function call(of: string, args: readonly Expr[], target?: Expr): Call {
  return { is: 'call', name: of, target, args }
}
