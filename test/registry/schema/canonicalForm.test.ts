import { expect } from 'chai'
import fc from 'fast-check'
import type { Schema } from '../../../apiserver/meta/schema.ts'
import { canonicalForm, objectSchema } from '../../../apiserver/registry/schema/canonicalForm.ts'
import { inOrder, isCanonical } from '../../../apiserver/registry/schema/isCanonical.ts'
import { widget } from '../../support/kinds/fixtureResources.ts'
import { thing, thingResource } from '../../support/thing.ts'

const text: Schema = { type: 'string' }
const dropped: Schema = { type: 'string', omitEmpty: true }

describe('canonicalForm', () => {
  const cases: {
    name: string
    schema: Schema
    value: unknown
    want: string
    unknown?: string[]
  }[] = [
    {
      name: 'fields stand in schema order',
      schema: { properties: { b: text, a: text } },
      value: { a: '1', b: '2' },
      want: '{"b":"2","a":"1"}',
    },
    {
      name: 'map keys are sorted',
      schema: { additionalProperties: text },
      value: { b: '2', a: '1', 'b.c': '3' },
      want: '{"a":"1","b":"2","b.c":"3"}',
    },
    {
      name: 'unknown fields are left out and told of, in document order',
      schema: {
        properties: {
          a: { properties: { x: text } },
          l: { items: { properties: { x: text } } },
          m: { additionalProperties: { properties: { x: text } } },
        },
      },
      value: { z: 1, m: { k: { y: 1 } }, l: [{ x: '1' }, { y: 1 }], a: { y: 1, x: '1' } },
      want: '{"a":{"x":"1"},"l":[{"x":"1"},{}],"m":{"k":{}}}',
      unknown: ['z', 'm.k.y', 'l[1].y', 'a.y'],
    },
    {
      name: 'empty values are dropped where the schema says so, from the inside out',
      schema: {
        properties: {
          s: dropped,
          n: { type: 'integer', omitEmpty: true },
          f: { type: 'boolean', omitEmpty: true },
          l: { items: text, omitEmpty: true },
          o: { properties: { s: dropped }, omitEmpty: true },
          kept: text,
        },
      },
      value: { s: '', n: 0, f: false, l: [], o: { s: '' }, kept: '' },
      want: '{"kept":""}',
    },
    {
      name: 'null is as if it were not there, but for nullable fields',
      schema: { properties: { a: text, b: { type: 'string', nullable: true } } },
      value: { a: null, b: null },
      want: '{"b":null}',
    },
    {
      name: 'null in a map or list is the empty value of its type',
      schema: {
        properties: {
          m: { additionalProperties: text },
          l: { items: { type: 'integer' } },
          n: { items: { type: 'integer', nullable: true } },
        },
      },
      value: { m: { a: null }, l: [null, 1], n: [null] },
      want: '{"m":{"a":""},"l":[0,1],"n":[null]}',
    },
    {
      name: 'free content is kept, its keys sorted at every depth',
      schema: {
        properties: {
          open: { 'x-kubernetes-preserve-unknown-fields': true, properties: { k: dropped } },
          bare: { type: 'object' },
          list: { type: 'array' },
        },
      },
      value: {
        list: [{ b: 1, a: null }],
        bare: { b: 1, a: 2 },
        open: { z: [{ b: 1, a: 2 }], k: 'v', a: {} },
      },
      want: '{"open":{"a":{},"k":"v","z":[{"a":2,"b":1}]},"bare":{"a":2,"b":1},"list":[{"a":null,"b":1}]}',
    },
    {
      name: 'unknown fields are told in the order of the document, whatever that of the schema',
      schema: { properties: { a: { properties: { x: text } }, b: { properties: { x: text } } } },
      value: { b: { q: 1, x: 'x', p: 2 }, z: 3, a: { r: 4 } },
      want: '{"a":{},"b":{"x":"x"}}',
      unknown: ['b.q', 'b.p', 'z', 'a.r'],
    },
    {
      name: 'what has the wrong type is kept for validation to find',
      schema: { properties: { a: { properties: { x: text } }, m: { additionalProperties: text } } },
      value: { a: 'text', m: [1] },
      want: '{"a":"text","m":[1]}',
    },
    {
      name: 'a key `__proto__` is a key like any other',
      schema: { additionalProperties: text },
      value: JSON.parse('{"__proto__":"x","a":"y"}'),
      want: '{"__proto__":"x","a":"y"}',
    },
  ]
  for (const { name, schema, value, want, unknown = [] } of cases) {
    it(name, () => {
      const before = structuredClone(value)
      const result = canonicalForm(value, schema)
      expect(JSON.stringify(result.value)).to.equal(want)
      expect(result.unknownFields).to.deep.equal(unknown)
      expect(value).to.deep.equal(before)
    })
  }

  it('metadata is in wire order, after kind and apiVersion (reference 1.10)', () => {
    const { metadata, ...rest } = thing('a', { labels: { a: 'b' }, uid: 'u', generateName: 'g' })
    const { value } = canonicalForm(
      { ...rest, metadata: { creationTimestamp: null, finalizers: [], ...metadata } },
      objectSchema(thingResource().schema),
    )
    expect(JSON.stringify(value)).to.equal(
      '{"kind":"Thing","apiVersion":"example.dev/v1","metadata":{"name":"a","generateName":"g","namespace":"default","uid":"u","labels":{"a":"b"}},"spec":{}}',
    )
  })

  it('keeps empty maps and lists where it is asked to, and tells that there are some', () => {
    const map: Schema = { type: 'object', additionalProperties: text, omitEmpty: true }
    const list: Schema = { type: 'array', items: { properties: { map } }, omitEmpty: true }
    const struct: Schema = { type: 'object', properties: { map }, omitEmpty: true }
    const granular: Schema = { ...list, 'x-kubernetes-list-type': 'map' }
    const schema = { properties: { map, list, struct, granular, none: list } }
    const items = [{ map: {} }]
    const value = { map: {}, list: items, struct: { map: {} }, granular: items, none: [] }
    const forms = [undefined, 'inLists', 'everywhere'] as const
    const texts = forms.map((keepsEmpty) =>
      JSON.stringify(canonicalForm(value, schema, keepsEmpty && { keepsEmpty }).value),
    )
    expect(texts).to.deep.equal([
      '{"list":[{}],"granular":[{}]}',
      '{"list":[{"map":{}}],"granular":[{}]}',
      '{"map":{},"list":[{"map":{}}],"struct":{"map":{}},"granular":[{"map":{}}],"none":[]}',
    ])
    expect(canonicalForm(value, schema).hasEmpty).to.equal(true)
    expect(canonicalForm({ list: [{}], struct: {} }, schema).hasEmpty).to.equal(false)
  })

  it('is idempotent and independent of the order of keys', () => {
    const schema = objectSchema(widget.schema)
    const key = fc.constantFrom(
      ...['spec', 'metadata', 'size', 'labels', 'ports', 'name', 'port', 'raw', 'parts', 'weight'],
      ...['template', 'enabled', 'anything', 'code', 'embedded', '1', '10', 'x'],
    )
    const { tree } = fc.letrec<{ tree: unknown; node: unknown }>((tie) => ({
      tree: fc.dictionary(key, tie('node'), { maxKeys: 6 }),
      node: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, '', 0, false, 'text', 5, true),
        fc.array(tie('node'), { maxLength: 3 }),
        tie('tree'),
      ),
    }))
    const seen = { recognized: 0, other: 0 }
    fc.assert(
      fc.property(tree, (value) => {
        const once = canonicalForm(value, schema)
        const text = JSON.stringify(once.value)
        expect(JSON.stringify(canonicalForm(once.value, schema).value)).to.equal(text)
        const other = canonicalForm(reversed(value), schema)
        expect(JSON.stringify(other.value)).to.equal(text)
        expect(new Set(other.unknownFields)).to.deep.equal(new Set(once.unknownFields))
        const isSame = once.unknownFields.length === 0 && JSON.stringify(value) === text
        if (isCanonical(value, schema)) expect(isSame).to.equal(true)
        const ordered = inOrder(value, schema)
        if (ordered !== undefined)
          expect(JSON.stringify(ordered)).to.equal(JSON.stringify(once.value))
        seen[isCanonical(once.value, schema) ? 'recognized' : 'other']++
      }),
      { numRuns: 500 },
    )
    expect(seen.recognized).to.be.greaterThan(seen.other)
  })
})

/** The same value with the keys of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, child]) => [name, reversed(child)]),
  )
}

describe('inOrder', () => {
  const schema: Schema = {
    properties: { b: text, owner: { properties: { user: text } }, a: dropped },
  }

  it('puts canonical fields into declared order', () => {
    const ordered = inOrder({ a: '1', owner: { user: 'jane' }, b: '2' }, schema)
    expect(JSON.stringify(ordered)).to.equal('{"b":"2","owner":{"user":"jane"},"a":"1"}')
  })

  it('leaves unknown, dropped and malformed fields to canonicalForm', () => {
    const values = [{ a: '1', c: '2' }, { a: '', b: '1' }, { b: '1', owner: { x: '1' } }, [], null]
    expect(values.map((value) => inOrder(value, schema))).to.deep.equal(Array(5).fill(undefined))
  })
})
