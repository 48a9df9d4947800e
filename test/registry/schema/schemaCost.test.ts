import { expect } from 'chai'
import type { Schema } from '../../../apiserver/meta/schema.ts'
import { canonicalForm } from '../../../apiserver/registry/schema/canonicalForm.ts'
import { Correlated, KeyedItems } from '../../../apiserver/registry/schema/correlated.ts'
import { customDialect } from '../../../apiserver/registry/schema/schemaDialect.ts'
import { SchemaValidator, walkedCheck } from '../../../apiserver/registry/schema/schemaValidator.ts'
import { documentForm } from '../../../apiserver/registry/objectForm.ts'
import { deadline } from '../../support/deadlines.ts'
import { failure, refusal } from '../../support/refusal.ts'

const open: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

function times<T>(length: number, make: (at: number) => T): T[] {
  return Array.from({ length }, (_one, at) => make(at))
}

function wide(count: number, property: Schema): Schema {
  const entries = times(count, (at): [string, Schema] => [`p${at}`, property])
  return { type: 'object', properties: Object.fromEntries(entries) }
}

function inTime(work: () => void): void {
  const began = performance.now()
  work()
  expect(performance.now() - began).to.be.below(deadline(500))
}

const check = (items: Schema) => walkedCheck({ type: 'array', items }, customDialect)

describe('cost of a schema', () => {
  it('does not visit all properties of a large schema for each small object', () => {
    const items = wide(3000, { type: 'string' })
    const value = times(20_000, () => ({}))
    inTime(() => {
      expect(check(items)(value)).to.deep.equal([])
      canonicalForm(value, { type: 'array', items })
    })
  })

  it('reports errors in the order of a large schema, whatever the order of the members', () => {
    const errors = check({ ...wide(40, { type: 'string' }), required: ['p39', 'p2'] })([
      { p30: 1, p4: 1, other: 1, p5: 'x', p20: 1 },
    ])
    expect(errors.map(({ field }) => field)).to.deep.equal([
      ...['[0].p4', '[0].p20', '[0].p30', '[0].p39', '[0].p2'],
    ])
  })

  it('orders the fields of a small object by a large schema', () => {
    const { value, unknownFields } = canonicalForm(
      { p30: 'c', b: 1, p4: 'a', p20: 'b', a: 1 },
      { ...wide(40, { type: 'string' }), prunes: true },
    )
    expect(Object.keys(value as object)).to.deep.equal(['p4', 'p20', 'p30'])
    expect(unknownFields).to.deep.equal(['b', 'a'])
  })

  it('does not compare each value with all allowed ones', async () => {
    const items = { ...open, enum: times(4000, (a) => ({ a, b: [a] })) }
    const form = documentForm
    const checks = [
      check(items),
      await new SchemaValidator({ type: 'array', items }, { form }).load(),
    ]
    const value = times(5000, () => ({ b: [3999], a: 3999 }))
    for (const one of checks) inTime(() => expect(one(value)).to.deep.equal([]))
  })

  it('does not tell all allowed values for errors that are only counted', () => {
    const value = times(5000, (a) => ({ a: -a - 1 }))
    inTime(() => {
      const errors = check({ ...open, enum: times(4000, (a) => ({ a })) })(value)
      expect(errors).to.have.length(5000)
      expect(errors[0]?.message).to.match(/^Unsupported value: \{"a":-1\}: supported .*3999\}"$/)
      expect(errors.every(({ reason }) => reason === 'FieldValueNotSupported')).to.equal(true)
    })
  })

  const allowed = [1, 2.5, '3', null, true, [1, { b: 2 }], { a: 1, c: { d: [] } }, 2n ** 60n, 'x']
  for (const [value, isAllowed] of [
    ...([
      [1, true],
      [1n, true],
      [2.5, true],
      [2, false],
      ['1', false],
      ['3', true],
    ] as const),
    ...([
      [3, false],
      [true, true],
      ['true', false],
      [false, false],
      ['x', true],
    ] as const),
    ...([
      [[1, { b: 2 }], true],
      [[1, { b: 2 }, 3], false],
      [[], false],
      [{}, false],
    ] as const),
    ...([
      [{ c: { d: [] }, a: 1 }, true],
      [{ a: 1, c: { d: {} } }, false],
    ] as const),
    ...([
      [2n ** 60n, true],
      [2n ** 60n + 1n, false],
      ['x'.repeat(500), false],
    ] as const),
  ] as [unknown, boolean][]) {
    const shown = typeof value === 'bigint' ? `${value}n` : JSON.stringify(value).slice(0, 20)
    it(`${isAllowed ? 'finds' : 'does not find'} ${shown} among allowed values`, () => {
      expect(check({ enum: allowed })([value])).to.have.length(isAllowed ? 0 : 1)
    })
  }

  const alternatives = {
    ...open,
    anyOf: times(4000, (at): Schema => ({ required: [`a${at}`] })),
  }
  const last = { a3999: 1 }

  it('refuses an object whose alternatives need more than a million checks: 413', async () => {
    const message = 'allOf, anyOf, oneOf and not need more than 1000000 checks of values'
    const began = performance.now()
    const found = await refusal(() => check(alternatives)(times(3000, () => last)))
    expect(performance.now() - began).to.be.below(deadline(3000))
    expect(found).to.deep.equal(
      failure(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`),
    )
    expect(check(alternatives)(times(100, () => last))).to.deep.equal([])
  })

  it('does not count the alternatives of an unchanged value', () => {
    const schema: Schema = {
      type: 'object',
      properties: { list: { type: 'array', items: alternatives }, name: { type: 'string' } },
    }
    const list = times(3000, () => last)
    const next = { list, name: 1 }
    const errors = walkedCheck(schema, customDialect)(
      next,
      new Correlated(next, { list, name: 'x' }, schema),
    )
    expect(errors.map(({ field }) => field)).to.deep.equal(['name'])
  })

  it('finds the previous items of keyed lists without comparing each with each', () => {
    const keyed: Schema = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'b'],
      items: { type: 'object', properties: { a: {}, b: {}, c: {} } },
    }
    const items = times(12_000, (at) => ({ a: `n${at}`, b: at % 2, c: 1 }))
    inTime(() => {
      const correlated = new Correlated([...items].reverse(), items, keyed)
      expect(correlated.isUnchanged).to.equal(true)
      expect(correlated.item(0)?.old).to.equal(items.at(-1))
    })
  })

  for (const { name, list, item, at } of [
    { name: 'the first of several', list: [{ a: 1, b: 1 }, { a: 1 }], item: { a: 1 }, at: 0 },
    { name: 'none of another type', list: [{ a: '1' }, { a: true }, { a: 1n }], item: { a: 1 } },
    { name: 'none without a key', list: [{ b: 1 }, null, 'x'], item: { b: 1 } },
    { name: 'none with a key that is no scalar', list: [{ a: [1] }], item: { a: [1] } },
    { name: 'none with another zero', list: [{ a: -0 }], item: { a: 0 } },
  ]) {
    it(`finds among items with the same keys ${name}`, () => {
      expect(new KeyedItems(list, ['a']).like(item)).to.equal(at === undefined ? at : list[at])
    })
  }
})
