import { expect } from 'chai'
import type { JsonSchemaProps } from '../../apiserver/meta/jsonSchemaProps.ts'
import { customSchema } from '../../openapi/customKinds/customSchema.ts'
import type { PublishedSchema } from '../../openapi/publishedSchema.ts'

/** Source: seen on kube-apiserver 1.37.2. */
interface Case {
  title: string
  field: JsonSchemaProps
  v2: PublishedSchema
  v3?: PublishedSchema
}

const either: { type: string }[] = [{ type: 'integer' }, { type: 'string' }]

const cases: Case[] = [
  {
    title: 'publishes defaults in 3.0 only',
    field: { type: 'boolean', default: true },
    v2: { type: 'boolean' },
    v3: { type: 'boolean', default: true },
  },
  {
    title: 'says nothing in 2.0 of what may be null',
    field: { type: 'object', nullable: true, properties: { x: { type: 'string' } } },
    v2: {},
    v3: { type: 'object', nullable: true, properties: { x: { type: 'string' } } },
  },
  {
    title: 'says nothing in 2.0 of the fields beside unknown ones',
    field: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { k: { type: 'string' } },
    },
    v2: { 'x-kubernetes-preserve-unknown-fields': true },
    v3: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { k: { type: 'string' } },
    },
  },
  {
    title: 'writes int-or-string out in 3.0',
    field: { 'x-kubernetes-int-or-string': true },
    v2: { 'x-kubernetes-int-or-string': true },
    v3: { 'x-kubernetes-int-or-string': true, anyOf: either },
  },
  {
    title: 'puts int-or-string before other junctors',
    field: { 'x-kubernetes-int-or-string': true, anyOf: [{ minimum: 1 }] },
    v2: { 'x-kubernetes-int-or-string': true },
    v3: {
      'x-kubernetes-int-or-string': true,
      allOf: [{ anyOf: either }],
      anyOf: [{ minimum: 1 }],
    },
  },
  {
    title: 'keeps additionalProperties that are true or false',
    field: { type: 'object', additionalProperties: false },
    v2: { type: 'object', additionalProperties: false },
  },
  {
    title: 'asks in 2.0 for no field that may be null',
    field: {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string', nullable: true }, b: { type: 'string' } },
    },
    v2: { type: 'object', required: ['b'], properties: { a: {}, b: { type: 'string' } } },
    v3: {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string', nullable: true }, b: { type: 'string' } },
    },
  },
  {
    title: 'publishes rules and titles',
    field: { type: 'string', title: 'T', 'x-kubernetes-validations': [{ rule: 'true' }] },
    v2: { type: 'string', title: 'T', 'x-kubernetes-validations': [{ rule: 'true' }] },
  },
]

describe('customSchema', () => {
  const published = (field: JsonSchemaProps, dialect: 'v2' | 'v3') =>
    customSchema({ type: 'object', properties: { field } }, dialect).properties?.['field']

  for (const { title, field, v2, v3 = v2 } of cases) {
    it(title, () => {
      expect(published(field, 'v2')).to.deep.equal(v2)
      expect(published(field, 'v3')).to.deep.equal(v3)
    })
  }

  it('has nothing in 2.0 for a kind with unknown fields', () => {
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
    expect(customSchema(open, 'v2')).to.deep.equal({ type: 'object' })
  })

  it('describes the version of an object with the extensions that clients read', () => {
    const { apiVersion } = customSchema({ type: 'object' }, 'v3').properties ?? {}
    expect(apiVersion?.description).to.match(/^APIVersion defines the versioned schema/)
  })
})
