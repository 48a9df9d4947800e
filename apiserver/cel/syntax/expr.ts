/** An expression of the language as it is checked and reckoned with: macros are written out, and operators are calls.
 *  Source: the language's definition, "Macros", and the macros of its extended libraries. */
export type Expr = Literal | Name | Select | Call | ListExpr | MapExpr | Fold

export interface Literal {
  is: 'literal'
  value: LiteralValue
}

export type LiteralValue = null | boolean | bigint | number | string | Uint8Array | Unsigned

/** A number without a sign, as the library reads it. */
interface Unsigned {
  valueOf(): unknown
}

export interface Name {
  is: 'name'
  name: string
}

export interface Select {
  is: 'select'
  of: Expr
  field: string
  /** Whether the field is there. */
  isTest: boolean
}

export interface Call {
  is: 'call'
  name: string
  /** What a method is called on. */
  target: Expr | undefined
  args: readonly Expr[]
}

export interface ListExpr {
  is: 'list'
  items: readonly Expr[]
}

export interface MapExpr {
  is: 'map'
  entries: readonly (readonly [key: Expr, value: Expr])[]
}

/** A loop over the items or keys of `range`, or, with two variables, over keys or indexes with their values. */
export interface Fold {
  is: 'fold'
  range: Expr
  variables: readonly string[]
  /** What is carried from round to round. */
  result: string
  initial: Expr
  condition: Expr
  step: Expr
  outcome: Expr
}

/** The variable of a loop without rounds, which binds what it carries to a name. */
export const unused = '#unused'

/** Whether a loop only binds a name. */
export function isBinding({ variables }: Fold): boolean {
  return variables[0] === unused
}

export function literal(value: LiteralValue): Literal {
  return { is: 'literal', value }
}

export function name(text: string): Name {
  return { is: 'name', name: text }
}

export function select(of: Expr, field: string, isTest = false): Select {
  return { is: 'select', of, field, isTest }
}

export function call(of: string, args: readonly Expr[], target?: Expr): Call {
  return { is: 'call', name: of, target, args }
}
