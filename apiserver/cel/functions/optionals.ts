import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import { registerHandlers } from './handlers.ts'
import { celKey } from './values.ts'
import type { Checker, Evaluator, Variables } from '../syntax/dialect.ts'

/** An optional value, as the library makes it. */
export interface OptionalValue {
  hasValue: () => boolean
  value: () => unknown
}

export interface Optionals {
  some: (value: unknown) => OptionalValue
  none: OptionalValue
}

interface Call {
  receiver: ASTNode
  args: ASTNode[]
}

/** What Kubernetes can do with optional values beyond the library. Source: the language's optional types. */
export function registerOptionals(environment: Environment, optionals: Optionals): void {
  const { some, none } = optionals
  environment.registerFunction(
    'OptionalNamespace.ofNonZeroValue(A): optional<A>',
    (_of: unknown, value: unknown) => (isZero(value) ? none : some(value)),
  )
  const unwrapped = (list: Iterable<OptionalValue>) =>
    [...list].filter((one) => one.hasValue()).map((one) => one.value())
  registerHandlers(environment, {
    'list.first(): optional<dyn>': ([first]: Iterable<unknown>) =>
      first === undefined ? none : some(first),
    'list.last(): optional<dyn>': (list: Iterable<unknown>) => {
      const last = [...list].at(-1)
      return last === undefined ? none : some(last)
    },
    'OptionalNamespace.unwrap(list<dyn>): list<dyn>': (
      _of: unknown,
      list: Iterable<OptionalValue>,
    ) => unwrapped(list),
    'list.unwrapOpt(): list<dyn>': unwrapped,
  })
  environment.registerOperator('optional<A> == optional<A>', isSame)
  environment.registerFunction('optional.optMap(ast, ast): optional<dyn>', (call: Call) =>
    mapping(call, optionals, { isFlat: false }),
  )
  environment.registerFunction('optional.optFlatMap(ast, ast): optional<dyn>', (call: Call) =>
    mapping(call, optionals, { isFlat: true }),
  )
}

function isSame(a: OptionalValue, b: OptionalValue): boolean {
  if (!a.hasValue() || !b.hasValue()) return a.hasValue() === b.hasValue()
  return celKey(a.value()) === celKey(b.value())
}

function isZero(value: unknown): boolean {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true
  if (value instanceof Map || value instanceof Set) return value.size === 0
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0
  return typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
    ? Object.keys(value).length === 0
    : false
}

function mapping(
  { receiver, args: [name, expression] }: Call,
  { some, none }: Optionals,
  { isFlat }: { isFlat: boolean },
): object {
  if (name?.op !== 'id' || expression === undefined)
    throw new Error(
      `${isFlat ? 'optFlatMap' : 'optMap'}() variable name must be a simple identifier`,
    )
  let inner: Variables | undefined
  return {
    async: false,
    typeCheck: (checker: Checker, _macro: unknown, context: Variables) => {
      const { kind, valueType } = checker.check(receiver, context)
      if (kind !== 'optional' && kind !== 'dyn') throw new Error('expression is no optional value')
      inner = context.forkWithVariable(name.args, valueType ?? checker.getType('dyn'))
      const type = checker.check(expression, inner)
      return isFlat ? type : checker.registry.getOptionalType(type)
    },
    evaluate: (evaluator: Evaluator, _macro: unknown, context: Variables) => {
      const optional = evaluator.run(receiver, context) as OptionalValue // the check says so
      if (inner === undefined || !optional.hasValue()) return none
      const variables = inner.reuse(context).setIterValue(optional.value(), evaluator)
      const value = evaluator.run(expression, variables)
      return isFlat ? value : some(value)
    },
  }
}
