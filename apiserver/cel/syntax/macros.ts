import { call, literal, name, unused, type Expr, type Fold } from './expr.ts'

/** Accumulator variable of macro loops. */
const carried = '@result'

/** A method call that a macro expands to another expression. */
export interface MacroCall {
  receiver: Expr
  args: readonly Expr[]
  at: number
}

/** Reason why a call cannot be expanded, and its position. */
export interface MacroError {
  problem: string
  at: number | undefined
}

type Macro = (call: MacroCall) => Expr | MacroError

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

/** Macro with one or two variables. Its loop is built from the arguments after the variables. */
function loopMacro(
  count: number,
  loopOf: (parts: Expr[], variables: Expr[]) => Loop,
  wrongName = 'argument must be a simple name',
): Macro {
  return ({ receiver, args, at }) => {
    const variables = args.slice(0, count)
    const names: string[] = []
    for (const one of variables) {
      if (one.is !== 'name') return { problem: wrongName, at: one.at }
      if (names.includes(one.name))
        return { problem: `duplicate variable name: ${one.name}`, at: one.at }
      names.push(one.name)
    }
    return { ...placed(fold(receiver, names, loopOf(args.slice(count), variables)), at) }
  }
}

/** Expression created by a macro, at the position of the macro call. */
function placed<E extends Expr>(expr: E, at: number): E {
  const mark = (one: Expr): void => {
    if (one.at !== undefined) return
    one.at = at
    for (const part of Object.values(one)) {
      for (const inner of [part].flat(2) as unknown[])
        if (typeof inner === 'object' && inner !== null && 'is' in inner) mark(inner as Expr)
    }
  }
  mark(expr)
  return expr
}

/** The last argument of a macro. */
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

/** Step that is skipped for items that do not pass the filter, if any. */
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

/** Expression that binds a value to a name within `within`. */
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
  return ({ receiver, args: [variable, within], at }) => {
    if (variable?.is !== 'name' || within === undefined)
      return { problem: `${of}() variable name must be a simple identifier`, at: variable?.at }
    const value = call('value', [], receiver)
    const made = bound(variable.name, value, within)
    const hasValue = call('hasValue', [], receiver)
    return placed(call('_?_:_', [hasValue, wrap(made), call('optional.none', [])]), at)
  }
}

const sorted = '@__sortBy_input__'

const sortBy: Macro = ({ receiver, args: [variable, ...parts], at }) => {
  if (receiver.is === 'literal' || receiver.is === 'map') {
    const problem =
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression'
    return { problem, at: receiver.at }
  }
  if (variable?.is !== 'name')
    return { problem: 'argument must be a simple name', at: variable?.at }
  const mapped = fold(name(sorted), [variable.name], collected(parts))
  const keyed = call('@sortByAssociatedKeys', [mapped], name(sorted))
  return placed(bound(sorted, receiver, keyed), at)
}

const notIdentifier = 'argument is not an identifier'

/** Macros by name and number of arguments. */
export const macros: Readonly<Record<string, Macro>> = {
  'all/2': loopMacro(1, all),
  'exists/2': loopMacro(1, exists),
  'exists_one/2': loopMacro(1, existsOne),
  'existsOne/2': loopMacro(1, existsOne),
  'map/2': loopMacro(1, collected, notIdentifier),
  'map/3': loopMacro(1, collected, notIdentifier),
  'filter/2': loopMacro(1, filter, notIdentifier),
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
