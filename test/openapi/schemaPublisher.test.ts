import { expect } from 'chai'
import type { Schema } from '../../apiserver/meta/schema.ts'
import type { PublishedSchema } from '../../openapi/publishedSchema.ts'
import { SchemaPublisher, type Dialect } from '../../openapi/schemaPublisher.ts'
import { bareDefinitions } from '../support/kinds/bareDefinitions.ts'

const shape: Schema = {
  definition: 'a.Shape',
  description: 'A shape.',
  type: 'object',
  required: ['side'],
  properties: { side: { type: 'string' } },
}
const v2Shape = { $ref: '#/definitions/a.Shape' }
const v3Shape = { $ref: '#/components/schemas/a.Shape' }

describe('SchemaPublisher (reference 6.6)', () => {
  const cases: { name: string; field: Schema; v2: PublishedSchema; v3: PublishedSchema }[] = [
    {
      name: 'publishes no word of our own',
      field: { type: 'string', omitEmpty: true },
      v2: { type: 'string' },
      v3: { type: 'string' },
    },
    {
      name: 'puts what a field adds beside a reference, wrapped in v3, defaults in v3 alone',
      field: { ...shape, description: 'This one.', default: { side: 'a' }, nullable: true },
      v2: { ...v2Shape, description: 'This one.' },
      v3: { allOf: [v3Shape], description: 'This one.', default: { side: 'a' }, nullable: true },
    },
    {
      name: 'leaves out an empty map of fields, which Go reads back as none',
      field: { type: 'object', properties: {} },
      v2: { type: 'object' },
      v3: { type: 'object' },
    },
    {
      name: 'describes the items of a list where they are defined',
      field: { type: 'array', items: shape },
      v2: { type: 'array', items: v2Shape },
      v3: { type: 'array', items: v3Shape },
    },
    {
      name: 'writes int-or-string in the words of each version',
      field: { 'x-kubernetes-int-or-string': true },
      v2: { type: 'string', format: 'int-or-string', 'x-kubernetes-int-or-string': true },
      v3: {
        format: 'int-or-string',
        oneOf: [{ type: 'integer' }, { type: 'string' }],
        'x-kubernetes-int-or-string': true,
      },
    },
    {
      name: 'leaves out a default that lacks a required field',
      field: { type: 'object', required: ['a'], default: {} },
      v2: { type: 'object', required: ['a'] },
      v3: { type: 'object', required: ['a'] },
    },
    {
      name: 'keeps a default that no value of the enum is, as the API does',
      field: { type: 'string', enum: ['a'], default: '' },
      v2: { type: 'string', enum: ['a'] },
      v3: { type: 'string', enum: ['a'], default: '' },
    },
    {
      name: 'puts markers of a field beside a reference that is only a name',
      field: {
        definition: 'a.Shape',
        'x-kubernetes-patch-strategy': 'retainKeys',
        'x-kubernetes-map-type': 'granular',
      },
      v2: {
        ...v2Shape,
        'x-kubernetes-map-type': 'granular',
        'x-kubernetes-patch-strategy': 'retainKeys',
      },
      v3: {
        allOf: [v3Shape],
        'x-kubernetes-map-type': 'granular',
        'x-kubernetes-patch-strategy': 'retainKeys',
      },
    },
  ]
  for (const { name, field, ...want } of cases) {
    it(name, () => {
      expect(publishedField('v2', field)).to.deep.equal(want.v2)
      expect(publishedField('v3', field)).to.deep.equal(want.v3)
    })
  }

  it('keeps the description of a field out of the shared definition', () => {
    const { publisher } = published('v3', { ...shape, default: { side: 'a' }, nullable: true })
    const { properties, required, type } = shape
    expect(publisher.definitions()['a.Shape']).to.deep.equal({ type, properties, required })
  })

  it('publishes a recursive schema', () => {
    const tree: Schema = {
      definition: 'a.Tree',
      type: 'object',
      get properties() {
        return { branches: { type: 'array' as const, items: tree } }
      },
    }
    const { publisher } = published('v3', tree)
    expect(publisher.definitions()['a.Tree']).to.deep.equal({
      type: 'object',
      properties: { branches: { type: 'array', items: { $ref: '#/components/schemas/a.Tree' } } },
    })
  })
})

/** Publishes `field` as the only field of an object. */
function published(dialect: Dialect, field: Schema) {
  const publisher = new SchemaPublisher(dialect, new Map(), bareDefinitions)
  publisher.body({ definition: 'a.Root', type: 'object', properties: { field } })
  return { publisher, field: publisher.definitions()['a.Root']?.properties?.field }
}

function publishedField(dialect: Dialect, field: Schema): PublishedSchema | undefined {
  return published(dialect, field).field
}
