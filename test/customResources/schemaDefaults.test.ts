import { expect } from 'chai'
import { defaulting } from '../../apiserver/customResources/schemaDefaults.ts'
import type { Schema } from '../../apiserver/meta/schema.ts'
import { deadline } from '../support/deadlines.ts'
import { failure, refusal } from '../support/refusal.ts'

const text = (length: number): Schema => ({ type: 'string', default: 'x'.repeat(length) })
const list = (properties: Record<string, Schema>): Schema => ({
  type: 'array',
  items: { type: 'object', properties },
})
const objects = (length: number): Record<string, unknown>[] => Array.from({ length }, () => ({}))

describe('defaulting', () => {
  it('fills in missing values in lists, maps and other defaults', () => {
    const inner: Schema = { type: 'object', properties: { a: { type: 'integer', default: 1 } } }
    const { fill } = defaulting({
      type: 'object',
      properties: {
        items: { type: 'array', items: inner },
        map: { type: 'object', additionalProperties: inner },
        added: { ...inner, default: {} },
        absent: inner,
      },
    })
    const value = { items: [{}, { a: 2 }], map: { x: {} } }
    fill(value)
    expect(value).to.deep.equal({
      items: [{ a: 1 }, { a: 2 }],
      map: { x: { a: 1 } },
      added: { a: 1 },
    })
  })

  it('copies the default for each place', () => {
    const value = objects(2)
    defaulting(list({ a: { type: 'array', default: [1] } })).fill(value)
    expect(value).to.deep.equal([{ a: [1] }, { a: [1] }])
    expect(value[0]?.['a']).to.not.equal(value[1]?.['a'])
  })

  it('adds at most 16 Mi characters to one value: 413', async () => {
    const { fill } = defaulting(list({ a: text(2000) }))
    const value = objects(300_000)
    expect(await refusal(() => fill(value))).to.deep.equal(
      failure(
        413,
        'RequestEntityTooLarge',
        'Request entity too large: defaults add more than 16777216 characters',
      ),
    )
    expect(value.filter((each) => 'a' in each)).to.have.length(8376)
  })

  it('counts each value separately', () => {
    const { fill } = defaulting(list({ a: text(2000) }))
    for (let round = 0; round < 3; round += 1) {
      const value = objects(8000)
      fill(value)
      expect(value.every((each) => 'a' in each)).to.equal(true)
    }
  })

  it('fills in defaults in the order of a large schema, after the members that were sent', () => {
    const some = Object.fromEntries(
      Array.from({ length: 40 }, (_one, at): [string, Schema] => [`p${at}`, { type: 'string' }]),
    )
    const value = { p3: 'sent', p1: {} }
    defaulting({
      type: 'object',
      properties: {
        ...some,
        p9: text(2),
        p3: text(1),
        p1: { type: 'object', properties: { a: text(1) } },
        p0: text(3),
      },
    }).fill(value)
    expect(Object.entries(value)).to.deep.equal([
      ['p3', 'sent'],
      ['p1', { a: 'x' }],
      ['p0', 'xxx'],
      ['p9', 'xx'],
    ])
  })

  it('does not visit all properties of a large schema for each small object', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 3000 }, (_one, at): [string, Schema] => [`p${at}`, { type: 'string' }]),
    )
    const value = objects(20_000)
    const began = performance.now()
    defaulting(list({ ...properties, a: text(1) })).fill(value)
    expect(performance.now() - began).to.be.below(deadline(500))
    expect(value.every(({ a }) => a === 'x')).to.equal(true)
  })

  it('fills in what fits where refusal is impossible', () => {
    const value = objects(300_000)
    defaulting(list({ a: text(2000) })).fillWhatFits(value)
    expect(value.filter((each) => 'a' in each)).to.have.length(8376)
  })
})
