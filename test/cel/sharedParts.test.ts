import { expect } from 'chai'
import { configurationValue } from '../../apiserver/admission/policies/configurationValue.ts'
import { typeNameProblems } from '../../apiserver/admission/policies/structNames.ts'
import { CelLibrary } from '../../apiserver/cel/library.ts'
import { formsOf, functionNames } from '../../apiserver/cel/functions/table.ts'
import type { CelType } from '../../apiserver/cel/types/types.ts'
import { CelMap } from '../../apiserver/cel/values/celMap.ts'
import { isEqual } from '../../apiserver/cel/values/comparison.ts'
import { isOfKind } from '../../apiserver/cel/values/kinds.ts'
import { nativeValue } from '../../apiserver/cel/values/nativeValue.ts'
import { StructValue } from '../../apiserver/cel/values/structValue.ts'
import { visiting } from '../../apiserver/cel/values/visits.ts'
import { deadline } from '../support/deadlines.ts'

const levels = 40

/** List of two whose items are the same list of two, and so on: 2 ** `levels` parts of `levels` lists. */
function sharedList(leaf: unknown = 'a'): unknown[] {
  let value = [leaf, leaf]
  for (let level = 0; level < levels; level++) value = [value, value]
  return value
}

function sharedMap(): CelMap {
  let value = new CelMap([['a', 1n]])
  for (let level = 0; level < levels; level++) {
    value = new CelMap([
      ['a', value],
      ['b', value],
    ])
  }
  return value
}

const scalars: Readonly<Partial<Record<CelType['kind'], unknown>>> = {
  ...{ null: null, bool: true, int: 100n, double: 1.5, string: '%s', bytes: new Uint8Array(1) },
}

/** Argument of a type, with shared parts if the type can have parts. */
function argument({ kind }: CelType): unknown {
  if (kind === 'map') return sharedMap()
  return Object.hasOwn(scalars, kind) ? scalars[kind] : sharedList()
}

/** Reports whether a call takes the argument: lists of typed items take no lists. */
function isTaken(value: unknown, type: CelType): boolean {
  const [item] = type.of
  return isOfKind(value, type) && (type.kind !== 'list' || item === undefined || isOfKind([], item))
}

function taken(work: () => unknown): number {
  const start = performance.now()
  try {
    work()
  } catch {
    // Many functions take no such values; only the time counts.
  }
  return performance.now() - start
}

describe('values whose parts are shared', () => {
  for (const name of functionNames) {
    it(`are handled by ${name} in bounded time`, () => {
      for (const { args: types, run, cost } of formsOf(name) ?? []) {
        const args = types.map(argument)
        if (!types.every((type, at) => isTaken(args[at], type))) continue
        const ms = taken(() => visiting(() => cost(args as never, run(...args) as never)))
        expect(ms, name).to.be.lessThan(deadline(500))
      }
    })
  }

  it('are compared and converted in bounded time', () => {
    const struct = new StructValue('Object', new Map([['spec', sharedList()]]))
    const works = [
      () => isEqual(sharedList(), sharedList()),
      () => isEqual(sharedMap(), sharedMap()),
      () => nativeValue(sharedList()),
      () => nativeValue(sharedMap()),
      () => configurationValue(sharedList()),
      () => configurationValue(sharedMap()),
      () => typeNameProblems(struct),
    ]
    for (const work of works) {
      expect(taken(work), String(work)).to.be.lessThan(deadline(500))
      expect(work, String(work)).to.throw('cost limit exceeded')
    }
  })

  const cel = new CelLibrary()

  for (const work of [
    "['a', dyn(self)].join()",
    '[1, dyn(self)].sum()',
    '[1.0, dyn(self)].sum()',
    "[duration('1s'), dyn(self)].sum()",
    '[1, dyn(self)].max()',
    '[1, dyn(self)].isSorted()',
    "['a', dyn(self)].sort()",
  ]) {
    it(`are refused among other items by ${work}`, () => {
      const run = evaluated(work, sharedList())
      expect(taken(run)).to.be.lessThan(deadline(500))
      expect(run).to.throw('no such overload')
    })
  }

  const evaluated = (source: string, self: unknown) => {
    const expression = cel.expression(source, ['self'])
    return () => expression.evaluate(new Map([['self', () => self]]))
  }

  for (const work of [
    'lists.range(4000).all(i, self == self)',
    'lists.range(4000).all(i, sets.contains([self], [self]))',
    "lists.range(4000).all(i, '%s'.format([self]) != '')",
    'lists.range(4000).all(i, self.flatten(20).size() > 0)',
    'lists.range(4000).all(i, [self, self].distinct().size() > 0)',
  ]) {
    it(`share the limit of the evaluation of ${work}`, () => {
      let self: unknown[] = ['a']
      for (let level = 0; level < 15; level++) self = [self, self]
      const run = evaluated(work, self)
      expect(taken(run)).to.be.lessThan(deadline(500))
      expect(run).to.throw('cost limit exceeded')
    })
  }

  it('are charged, so that the next evaluations of a budget are refused', () => {
    let self: unknown[] = ['a']
    for (let level = 0; level < 15; level++) self = [self, self]
    const expression = cel.expression('self == self', ['self'])
    expect(expression.evaluate(new Map([['self', () => self]]))).to.equal(true)
    expect(expression.spent).to.be.greaterThan(20_000)
  })
})
