import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import { compareValues } from './lists.ts'
import type { Checker, DeclaredType, Evaluator, Variables } from '../syntax/dialect.ts'
import { isObject } from '../../meta/json/isObject.ts'

interface Call {
  receiver: ASTNode
  args: ASTNode[]
}

/** Where the key or index stands, and the value within that. */
interface Pairs {
  outer: Variables
  inner: Variables
}

interface Round {
  key: unknown
  /** What a part of the call says of the pair. */
  run: (part: ASTNode) => unknown
}

type Outcome = (rounds: Iterable<Round>, parts: readonly ASTNode[]) => unknown
type TypeOf = (checker: Checker, types: readonly DeclaredType[], key: DeclaredType) => DeclaredType

/** Loops over keys, or indexes, and values. Source: the language's extended library of two-variable comprehensions. */
export function registerPairLoops(environment: Environment): void {
  const isBool: TypeOf = (checker) => checker.getType('bool')
  const listOf: TypeOf = ({ registry }, types) => registry.getListType(last(types))
  const mapOf: TypeOf = ({ registry }, types, key) => registry.getMapType(key, last(types))
  const entries: TypeOf = (_checker, types) => last(types)
  const loops: readonly [string, Outcome, TypeOf][] = [
    ['all(ast, ast, ast): bool', (rounds, [test]) => decided(rounds, test, false), isBool],
    ['exists(ast, ast, ast): bool', (rounds, [test]) => decided(rounds, test, true), isBool],
    ['existsOne(ast, ast, ast): bool', onlyOne, isBool],
    ['exists_one(ast, ast, ast): bool', onlyOne, isBool],
    ['transformList(ast, ast, ast): list<dyn>', transformedList, listOf],
    ['transformList(ast, ast, ast, ast): list<dyn>', transformedList, listOf],
    ['transformMap(ast, ast, ast): map<dyn, dyn>', transformedMap, mapOf],
    ['transformMap(ast, ast, ast, ast): map<dyn, dyn>', transformedMap, mapOf],
    ['transformMapEntry(ast, ast, ast): map<dyn, dyn>', mergedEntries, entries],
    ['transformMapEntry(ast, ast, ast, ast): map<dyn, dyn>', mergedEntries, entries],
  ]
  for (const [signature, outcome, typeOf] of loops) {
    environment.registerFunction(`list.${signature}`, (call: Call) => loop(call, outcome, typeOf))
  }
}

function loop({ receiver, args }: Call, outcome: Outcome, typeOf: TypeOf): object {
  const [first, second, ...parts] = args
  const names = [nameOf(first), nameOf(second)] as const
  let pairs: Pairs | undefined
  return {
    async: false,
    typeCheck: (checker: Checker, _macro: unknown, context: Variables) => {
      const [key, value] = pairTypes(checker, receiver, context)
      const outer = context.forkWithVariable(names[0], key)
      const inner = outer.forkWithVariable(names[1], value)
      pairs = { outer, inner }
      const types = parts.map((part) => checker.check(part, inner))
      return typeOf(checker, types, key)
    },
    evaluate: (evaluator: Evaluator, _macro: unknown, context: Variables) => {
      if (pairs === undefined) throw new Error('rules are checked before they are evaluated')
      const range = evaluator.run(receiver, context)
      const outer = pairs.outer.reuse(context)
      return outcome(rounds(evaluator, range, { outer, inner: pairs.inner.reuse(outer) }), parts)
    },
  }
}

function nameOf(node: ASTNode | undefined): string {
  if (node?.op !== 'id') throw new Error('argument must be a simple name')
  return node.args
}

function pairTypes(
  checker: Checker,
  receiver: ASTNode,
  context: Variables,
): readonly [DeclaredType, DeclaredType] {
  const { kind, keyType, valueType } = checker.check(receiver, context)
  const dyn = checker.getType('dyn')
  if (kind === 'dyn') return [dyn, dyn]
  if (kind === 'list') return [checker.getType('int'), valueType ?? dyn]
  if (kind === 'map') return [keyType ?? dyn, valueType ?? dyn]
  throw new Error('expression cannot be range of a comprehension (must be list, map, or dynamic)')
}

function* rounds(evaluator: Evaluator, range: unknown, { outer, inner }: Pairs): Generator<Round> {
  for (const [key, value] of entriesOf(range)) {
    const run = (part: ASTNode): unknown => {
      outer.setIterValue(key, evaluator)
      inner.setIterValue(value, evaluator)
      return evaluator.run(part, inner)
    }
    yield { key, run }
  }
}

function entriesOf(range: unknown): Iterable<[unknown, unknown]> {
  if (range instanceof Map) return range.entries() as Iterable<[unknown, unknown]>
  if (Array.isArray(range) || range instanceof Set)
    return [...range].map((value: unknown, at): [unknown, unknown] => [BigInt(at), value])
  return isObject(range) ? Object.entries(range) : []
}

/** Whether one of the tests answers `wanted`; an error counts only where none does. */
function decided(all: Iterable<Round>, test: ASTNode | undefined, wanted: boolean): boolean {
  let failure: unknown
  for (const { run } of all) {
    try {
      if (test !== undefined && run(test) === wanted) return wanted
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== undefined) throw asError(failure)
  return !wanted
}

function asError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error(String(failure))
}

function onlyOne(all: Iterable<Round>, [test]: readonly ASTNode[]): boolean {
  let count = 0
  for (const { run } of all) if (test !== undefined && run(test) === true) count++
  return count === 1
}

/** What the last part makes of the pairs that the one before lets pass. */
function* made(all: Iterable<Round>, parts: readonly ASTNode[]): Generator<[unknown, unknown]> {
  const [filter, transform] = parts.length > 1 ? parts : [undefined, parts[0]]
  if (transform === undefined) return
  for (const { key, run } of all) {
    if (filter === undefined || run(filter) === true) yield [key, run(transform)]
  }
}

function transformedList(all: Iterable<Round>, parts: readonly ASTNode[]): unknown[] {
  return [...made(all, parts)].map(([, value]) => value)
}

function transformedMap(all: Iterable<Round>, parts: readonly ASTNode[]): Map<unknown, unknown> {
  return new Map(made(all, parts))
}

/** @throws Error for a key that is there twice. */
function mergedEntries(all: Iterable<Round>, parts: readonly ASTNode[]): Map<unknown, unknown> {
  const found = new Map<unknown, unknown>()
  for (const [, entry] of made(all, parts)) {
    for (const [key, value] of entriesOf(entry)) {
      if (found.has(key)) throw new Error(`insert failed: key ${String(key)} already exists`)
      found.set(key, value)
    }
  }
  return found
}

function last<T>(items: readonly T[]): T {
  return items[items.length - 1] as T // each loop has a part
}

/** Sorts by what an expression says of each item. */
export function registerSorting(environment: Environment): void {
  environment.registerFunction('list.sortBy(ast, ast): list<dyn>', ({ receiver, args }: Call) => {
    const [name, by] = args
    const variable = nameOf(name)
    let inner: Variables | undefined
    return {
      async: false,
      typeCheck: (checker: Checker, _macro: unknown, context: Variables) => {
        const list = checker.check(receiver, context)
        inner = context.forkWithVariable(variable, list.valueType ?? checker.getType('dyn'))
        if (by !== undefined) checker.check(by, inner)
        return list
      },
      evaluate: (evaluator: Evaluator, _macro: unknown, context: Variables) => {
        const variables = inner?.reuse(context)
        if (variables === undefined || by === undefined) return []
        const list = entriesOf(evaluator.run(receiver, context))
        return [...list]
          .map(([, item]) => ({
            item,
            key: evaluator.run(by, variables.setIterValue(item, evaluator)),
          }))
          .sort((a, b) => compareValues(a.key, b.key))
          .map(({ item }) => item)
      },
    }
  })
}
