import { BuiltInTypes } from '../../../../apiserver/apis/kubernetes/builtInTypes.ts'
import { PlaneAccess } from '../../../../apiserver/apis/planeAccess.ts'
import { expect } from 'chai'
import {
  celLibraryOf,
  customResourceDefinitionResource,
} from '../../../../apiserver/apis/kubernetes/apiextensions/customResourceDefinition.ts'
import { definitionUpdateErrors } from '../../../../apiserver/apis/kubernetes/apiextensions/definitionRules.ts'
import type { CustomResourceDefinition } from '../../../../apiserver/customResources/definition.ts'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import { canonicalForm, objectSchema } from '../../../../apiserver/registry/schema/canonicalForm.ts'
import { widgetDefinition } from '../../../support/definitions.ts'
import { canonical, create, openStores, put, type Stores } from '../../../support/stores.ts'
import { refusal } from '../../../support/refusal.ts'
import { vectorLines } from '../../../support/vectorLines.ts'

const text = { type: 'string' }
const version = (name: string, rest: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object' } },
  ...rest,
})
const schemaPath = 'spec.validation.openAPIV3Schema'

/**
 * Causes for a definition, or for one with this schema, whose causes are relative to the schema.
 */
type Row = { title: string; want: string[] } & ({ definition: object } | { schema: object })

// The file contains lines of this type.
const rows = vectorLines('definitionRules.vectors.jsonl', import.meta.url) as Row[]

describe('CustomResourceDefinition rules', () => {
  const resource = customResourceDefinitionResource({
    types: new BuiltInTypes(),
    access: new PlaneAccess(),
  })
  let stores: Stores
  before(async () => {
    stores = await openStores()
  })
  after(() => stores.close())

  const decoded = (object: object) => {
    const body = canonical(object as ApiObject, resource)
    resource.strategy.setDefaults?.(body)
    return body
  }
  const causes = async (object: object) => {
    const { details } = await refusal(create(stores.storeOf(resource), decoded(object)))
    return details?.causes?.map(({ field = '', message = '' }) => `${field}: ${message}`)
  }

  for (const { title, want, ...row } of rows) {
    it(title, async () => {
      const found = await causes('schema' in row ? widgetDefinition(row.schema) : row.definition)
      expect(found).to.deep.equal(
        want.map((one) => ('schema' in row ? `${schemaPath}.${one}` : one)),
      )
    })
  }

  const typed = {
    properties: {
      spec: {
        type: 'object',
        properties: {
          s: text,
          i: { type: 'integer' },
          l: { type: 'array', maxItems: 10, items: text },
          o: { type: 'object', properties: { in: text, 'a-b': text } },
          d: { ...text, format: 'duration' },
          open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  }
  const rulesOf = (rule: object) => {
    const schema = structuredClone(typed)
    Object.assign(schema.properties.spec, { 'x-kubernetes-validations': [rule] })
    return widgetDefinition(schema)
  }
  const fitting = [
    'self == oldSelf',
    'self.o == oldSelf.o',
    'self.i > 0.5',
    'self.o.__in__ == self.o.a__dash__b',
    'self.l.exists(x, x == self.s)',
    "self.d > duration('1s')",
    'has(self.o) && !has(self.s)',
  ]
  for (const rule of fitting) {
    it(`accepts the rule ${rule}`, async () => {
      const { metadata, ...definition } = decoded(rulesOf({ rule }))
      const name = `w${fitting.indexOf(rule)}`
      const spec = { ...(definition['spec'] as object), group: `${name}.example.com` }
      const made = { ...definition, metadata: { ...metadata, name: `widgets.${name}.example.com` } }
      expect(await create(stores.storeOf(resource), { ...made, spec })).to.have.property('status')
    })
  }

  const unfitting = [
    {
      rule: 'self.s == 1',
      at: 8,
      says: "found no matching overload for '_==_' applied to '(string, int)'",
    },
    { rule: 'self.none == 1', at: 5, says: "undefined field 'none'" },
    { rule: 'has(self.none)', at: 4, says: "undefined field 'none'" },
    {
      rule: 'self.l.all(x, x > 1)',
      at: 17,
      says: "found no matching overload for '_>_' applied to '(string, int)'",
    },
    { rule: 'self.open.none == 1', at: 10, says: "undefined field 'none'" },
    { rule: "self.s.matches('(')", at: 16, says: 'invalid matches argument' },
    { rule: 'self.i', says: 'cel expression must evaluate to a bool' },
  ]
  for (const { rule, at, says } of unfitting) {
    it(`refuses the rule ${rule}`, async () => {
      const told =
        at === undefined
          ? says
          : `compilation failed: ERROR: <input>:1:${at}: ${says}\n | ${rule}\n | ${'.'.repeat(at - 1)}^`
      const found = await causes(rulesOf({ rule }))
      const shown = JSON.stringify({
        ...{ Rule: rule, Message: '', MessageExpression: '', Reason: null },
        ...{ FieldPath: '', OptionalOldSelf: null },
      }).replace('>', String.raw`\u003e`)
      expect(found).to.deep.equal([
        `${schemaPath}.properties[spec].x-kubernetes-validations[0].rule: Invalid value: ${shown}: ${told}`,
      ])
    })
  }

  it('reports unknown words of a schema, except within items and additional properties', () => {
    const words = { type: 'object', wrong: 1 }
    const properties = {
      listed: { type: 'array', items: words },
      open: { type: 'object', additionalProperties: words },
      known: words,
    }
    const definition = widgetDefinition({ type: 'object', properties })
    const { unknownFields } = canonicalForm(definition, objectSchema(resource.schema))
    expect(unknownFields).to.deep.equal([
      'spec.versions[0].schema.openAPIV3Schema.properties.known.wrong',
    ])
  })

  it('refuses a message that is not a string', async () => {
    const found = await causes(rulesOf({ rule: 'true', messageExpression: 'self.i' }))
    expect(found?.[0]).to.match(
      /messageExpression: .*: messageExpression must evaluate to a string$/,
    )
  })

  it('does not check types of a rule that the definition already has', () => {
    const stored = decoded(rulesOf({ rule: 'self.s == 1' })) as CustomResourceDefinition
    stored.status = { storedVersions: ['v1'] }
    const changed = structuredClone(stored)
    changed.spec.names.shortNames = ['w']
    expect(definitionUpdateErrors(changed, stored, celLibraryOf(resource))).to.deep.equal([])
    const other = decoded(rulesOf({ rule: 'self.s == 2' })) as CustomResourceDefinition
    other.status = { storedVersions: ['v1'] }
    expect(definitionUpdateErrors(other, stored, celLibraryOf(resource))).to.have.length(1)
  })

  it('defaults names and conversion, and records the stored version', async () => {
    const made = await create(stores.storeOf(resource), decoded(widgetDefinition({})))
    const { names, conversion } = made['spec'] as { names: object; conversion: object }
    expect([names, conversion, made['status']]).to.deep.equal([
      { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      { strategy: 'None' },
      { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
    ])
    const next = decoded({
      ...made,
      spec: {
        ...(made['spec'] as object),
        versions: [version('v1', { storage: false }), version('v2', { storage: true })],
      },
    })
    const updated = await put(stores.storeOf(resource), next)
    expect(updated['status']).to.have.deep.property('storedVersions', ['v1', 'v2'])
  })
})
