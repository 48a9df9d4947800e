import { expect } from 'chai'
import fc from 'fast-check'
import {
  difference,
  fieldSetOf,
  has,
  included,
  intersection,
  isEmpty,
  overlaps,
  pathsOf,
  recursiveDifference,
  sameSets,
  union,
  type FieldSet,
  type Path,
} from '../../../../apiserver/patch/apply/fields/fieldSet.ts'
import { decodeFieldsV1 } from '../../../../apiserver/patch/apply/fields/fieldsV1.ts'

const set = (...paths: string[]): FieldSet =>
  fieldSetOf(...paths.map((path) => path.split('.').map((name) => `f:${name}`)))

describe('FieldSet (reference 3.11)', () => {
  it('is written as fieldsV1: leaves empty, members with children marked by a dot', () => {
    const written = '{"f:a":{".":{},"f:b":{}},"f:c":{"f:d":{}}}'
    expect(JSON.stringify(set('c.d', 'a.b', 'a'))).to.equal(written)
  })

  it('contains its members', () => {
    const some = set('a.b', 'a', 'c.d')
    const members: [Path, boolean][] = [
      [['f:a'], true],
      [['f:a', 'f:b'], true],
      [['f:c'], false],
      [['f:c', 'f:d'], true],
      [['f:x', 'f:y'], false],
      [[], false],
    ]
    for (const [path, want] of members) expect(has(some, path), path.join()).to.equal(want)
  })

  it('lists the members of a node before those below it', () => {
    const paths = pathsOf(set('a.b', 'c', 'a')).map((path) => path.join(' '))
    expect(paths).to.deep.equal(['f:a', 'f:c', 'f:a f:b'])
  })

  const cases: [string, FieldSet, FieldSet][] = [
    ['union', union(set('a.b', 'd'), set('a', 'c')), set('a', 'a.b', 'c', 'd')],
    ['intersection', intersection(set('a', 'a.b', 'c'), set('a.b', 'c.d')), set('a.b')],
    ['difference of a child', difference(set('a', 'a.b'), set('a.b')), set('a')],
    ['difference of a parent', difference(set('a', 'a.b'), set('a')), set('a.b')],
    ['difference to nothing', difference(set('a.b.c'), set('a.b.c')), {}],
    [
      'recursive difference',
      recursiveDifference(set('a', 'a.b.c', 'd'), set('a.b')),
      set('a', 'd'),
    ],
    ['recursive difference of all', recursiveDifference(set('a.b', 'd'), set('a')), set('d')],
    ['fields below a pattern', included(set('a', 'a.b.c', 'd'), set('a.b')), set('a', 'a.b.c')],
  ]
  for (const [name, got, want] of cases) it(name, () => expect(got).to.deep.equal(want))

  it('shares unchanged parts with its operands', () => {
    const [a, b] = [set('a.b', 'c'), set('x')]
    expect(difference(a, b)).to.equal(a)
    expect(union(a, {})).to.equal(a)
    expect(union(a, b)['f:a']).to.equal(a['f:a'])
  })

  const element = fc.constantFrom('f:a', 'f:b', 'k:{"n":1}', 'k:{"n":"x"}', 'v:1', 'v:"1"', 'i:0')
  const path = fc.array(element, { minLength: 1, maxLength: 4 })
  const anySet = fc.array(path, { maxLength: 12 }).map((paths) => fieldSetOf(...paths))
  const keys = (some: FieldSet) => new Set(pathsOf(some).map((one) => one.join(' ')))

  it('satisfies the laws of sets', () => {
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        const [left, right] = [keys(a), keys(b)]
        expect(keys(union(a, b))).to.deep.equal(new Set([...left, ...right]))
        const both = [...left].filter((one) => right.has(one))
        expect(keys(intersection(a, b))).to.deep.equal(new Set(both))
        const only = [...left].filter((one) => !right.has(one))
        expect(keys(difference(a, b))).to.deep.equal(new Set(only))
        expect(overlaps(a, b)).to.equal(both.length > 0)
        expect(sameSets(union(difference(a, b), intersection(a, b)), a)).to.equal(true)
        expect(isEmpty(difference(a, union(a, b)))).to.equal(true)
      }),
    )
  })

  it('round-trips in any order', () => {
    const shuffled = (some: FieldSet): unknown =>
      Object.fromEntries(
        Object.entries(some)
          .reverse()
          .map(([name, node]) => [name, shuffled(node)]),
      )
    fc.assert(
      fc.property(anySet, (some) => {
        const written = JSON.stringify(some)
        expect(JSON.stringify(decodeFieldsV1(JSON.parse(written)))).to.equal(written)
        expect(JSON.stringify(decodeFieldsV1(shuffled(some)))).to.equal(written)
      }),
    )
  })
})

describe('decodeFieldsV1 (reference 3.11)', () => {
  const cases: [string, unknown, FieldSet][] = [
    ['nothing', undefined, {}],
    ['a dot that says nothing', { 'f:a': { '.': {} } }, set('a')],
    ['null for a leaf', { 'f:a': null }, set('a')],
    ['unknown elements', { 'f:a': { 'x:b': {} }, 'x:c': {} }, set('a')],
    ['keys in any order', { 'k:{"b":1,"a":2}': {} }, fieldSetOf(['k:{"a":2,"b":1}'])],
  ]
  for (const [name, sent, want] of cases) {
    it(`reads ${name}`, () => expect(decodeFieldsV1(sent)).to.deep.equal(want))
  }
  for (const bad of [1, 'x', [], { 'f:a': 1 }, { a: {} }, { 'k:{': {} }]) {
    it(`refuses ${JSON.stringify(bad)}`, () => expect(() => decodeFieldsV1(bad)).to.throw(Error))
  }
})
