import type { ASTNode } from '@marcbachmann/cel-js'
import { call, literal, name, unused, type Expr, type Fold } from './expr.ts'

/** What is carried by the loops of macros. */
const carried = '@result'

/** Writes a call out as what it stands for; `read` reads what it was given. */
type Macro = (receiver: ASTNode, args: readonly ASTNode[], read: Read) => Expr

type Read = (node: ASTNode) => Expr

interface Loop {
  initial: Expr
  condition?: Expr
  step: Expr
  outcome?: Expr
}

const accumulator = () => name(carried)

function fold(range: Expr, variables: readonly string[], loop: Loop): Fold {
  return {
    is: 'fold',
    range,
    variables,
    result: carried,
    condition: literal(true),
    outcome: accumulator(),
    ...loop,
  }
}

/** A macro over one or two variables; its loop is made of the arguments after them. */
function loopMacro(count: number, loopOf: (parts: Expr[], variables: Expr[]) => Loop): Macro {
  return (receiver, args, read) => {
    const variables = args.slice(0, count).map(read)
    const names = variables.map(simpleName)
    if (new Set(names).size < names.length)
      throw new Error(`compilation failed: duplicate variable name: ${names[0] ?? ''}`)
    return fold(read(receiver), names, loopOf(args.slice(count).map(read), variables))
  }
}

function simpleName(one: Expr): string {
  if (one.is === 'name') return one.name
  throw new Error('compilation failed: argument must be a simple name')
}

/** The last of the parts that a macro has. */
function last(parts: readonly Expr[]): Expr {
  const found = parts.at(-1)
  if (found === undefined) throw new Error('a macro without parts')
  return found
}

const all = (parts: Expr[]): Loop => ({
  initial: literal(true),
  condition: call('@not_strictly_false', [accumulator()]),
  step: call('_&&_', [accumulator(), last(parts)]),
})

const exists = (parts: Expr[]): Loop => ({
  initial: literal(false),
  condition: call('@not_strictly_false', [call('!_', [accumulator()])]),
  step: call('_||_', [accumulator(), last(parts)]),
})

const existsOne = (parts: Expr[]): Loop => ({
  initial: literal(0n),
  step: call('_?_:_', [last(parts), call('_+_', [accumulator(), literal(1n)]), accumulator()]),
  outcome: call('_==_', [accumulator(), literal(1n)]),
})

/** With a filter first, the step is taken for what passes it. */
function filtered(parts: readonly Expr[], step: Expr): Expr {
  const [filter] = parts
  return parts.length < 2 || filter === undefined
    ? step
    : call('_?_:_', [filter, step, accumulator()])
}

const appended = (item: Expr) => call('_+_', [accumulator(), { is: 'list', items: [item] }])

const collected = (parts: Expr[]): Loop => ({
  initial: { is: 'list', items: [] },
  step: filtered(parts, appended(last(parts))),
})

const filter = (parts: Expr[], variables: Expr[]): Loop => ({
  initial: { is: 'list', items: [] },
  step: filtered([last(parts), last(parts)], appended(last(variables))),
})

const keyed = (parts: Expr[], [key]: Expr[]): Loop => ({
  initial: { is: 'map', entries: [] },
  step: filtered(parts, call('cel.@mapInsert', [accumulator(), key ?? literal(null), last(parts)])),
})

const merged = (parts: Expr[]): Loop => ({
  initial: { is: 'map', entries: [] },
  step: filtered(parts, call('cel.@mapInsert', [accumulator(), last(parts)])),
})

/** A name for a value within an expression. */
function bound(variable: string, value: Expr, within: Expr): Fold {
  return {
    is: 'fold',
    range: { is: 'list', items: [] },
    variables: [unused],
    result: variable,
    initial: value,
    condition: literal(false),
    step: name(variable),
    outcome: within,
  }
}

function optionalMacro(of: string, wrap: (made: Expr) => Expr): Macro {
  return (receiver, [variable, within], read) => {
    if (variable?.op !== 'id' || within === undefined)
      throw new Error(`compilation failed: ${of}() variable name must be a simple identifier`)
    const value = call('value', [], read(receiver))
    const made = bound(variable.args, value, read(within))
    const hasValue = call('hasValue', [], read(receiver))
    return call('_?_:_', [hasValue, wrap(made), call('optional.none', [])])
  }
}

const sorted = '@__sortBy_input__'

const sortBy: Macro = (receiver, args, read) => {
  const list = read(receiver)
  if (list.is === 'literal' || list.is === 'map')
    throw new Error(
      'compilation failed: sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    )
  const [variable, ...parts] = args.map(read)
  const names = variable === undefined ? [] : [simpleName(variable)]
  const mapped = fold(name(sorted), names, collected(parts))
  return bound(sorted, list, call('@sortByAssociatedKeys', [mapped], name(sorted)))
}

/** By their names and how many arguments they have. */
export const macros: Readonly<Record<string, Macro>> = {
  'all/2': loopMacro(1, all),
  'exists/2': loopMacro(1, exists),
  'exists_one/2': loopMacro(1, existsOne),
  'existsOne/2': loopMacro(1, existsOne),
  'map/2': loopMacro(1, collected),
  'map/3': loopMacro(1, collected),
  'filter/2': loopMacro(1, filter),
  'all/3': loopMacro(2, all),
  'exists/3': loopMacro(2, exists),
  'exists_one/3': loopMacro(2, existsOne),
  'existsOne/3': loopMacro(2, existsOne),
  'transformList/3': loopMacro(2, collected),
  'transformList/4': loopMacro(2, collected),
  'transformMap/3': loopMacro(2, keyed),
  'transformMap/4': loopMacro(2, keyed),
  'transformMapEntry/3': loopMacro(2, merged),
  'transformMapEntry/4': loopMacro(2, merged),
  'sortBy/2': sortBy,
  'optMap/2': optionalMacro('optMap', (made) => call('optional.of', [made])),
  'optFlatMap/2': optionalMacro('optFlatMap', (made) => made),
}
