import { expect } from 'chai'
import { mutated, mutationsOf } from './mutations.ts'
import { PublishedSchemas, type PublishedSchema } from './publishedSchemas.ts'

const schema: PublishedSchema = {
  type: 'object',
  properties: {
    on: { type: 'boolean' },
    list: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } },
    other: { type: 'object', required: ['x'], properties: { x: { type: 'string' } } },
  },
}
// References in these schemas are not resolved.
const schemas = new PublishedSchemas({
  name: 'peer',
  port: 0,
  secure: false,
  tokens: { admin: '', bob: '' },
})

describe('mutationsOf', () => {
  const all = mutationsOf({ on: true, list: [{ n: 1 }] }, schema, schemas)
  const has = (path: (string | number)[], value: unknown) =>
    all.some((one) => JSON.stringify([one.path, one.value]) === JSON.stringify([path, value]))

  it('removes, empties and retypes fields of the object', () => {
    for (const value of [undefined, false, 'x', null])
      expect(all).to.deep.include({ path: ['on'], value })
  })

  it('reaches into lists, and repeats an item', () => {
    expect([has(['list', 0, 'n'], -1), has(['list', 1], { n: 1 })]).to.deep.equal([true, true])
  })

  it('adds missing fields, and an unknown one', () => {
    expect([has(['other'], { x: 'x' }), has(['unknownField'], 1)]).to.deep.equal([true, true])
  })
})

describe('mutated', () => {
  const object = { a: { b: [1, 2] } }
  const cases = [
    { name: 'sets a field', path: ['a', 'c'], value: 5, want: { a: { b: [1, 2], c: 5 } } },
    { name: 'leaves a field out', path: ['a', 'b'], value: undefined, want: { a: {} } },
    { name: 'takes an item out', path: ['a', 'b', 0], value: undefined, want: { a: { b: [2] } } },
    {
      name: 'leaves the object alone below what is not there',
      path: ['x', 'y'],
      value: 1,
      want: object,
    },
  ]
  for (const { name, path, value, want } of cases)
    it(name, () => {
      expect(mutated(object, { path, value })).to.deep.equal(want)
      expect(object).to.deep.equal({ a: { b: [1, 2] } })
    })
})
