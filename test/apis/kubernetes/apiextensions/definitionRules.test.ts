import { expect } from 'chai'
import {
  celLibraryOf,
  customResourceDefinitionResource,
} from '../../../../apiserver/apis/kubernetes/apiextensions/customResourceDefinition.ts'
import { definitionUpdateErrors } from '../../../../apiserver/apis/kubernetes/apiextensions/definitionRules.ts'
import type { CustomResourceDefinition } from '../../../../apiserver/customResources/definition.ts'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import { widgetDefinition } from '../../../support/definitions.ts'
import { canonical, create, openStores, put, type Stores } from '../../../support/stores.ts'
import { refusal } from '../../../support/refusal.ts'

const text = { type: 'string' }
const version = (name: string, rest: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object' } },
  ...rest,
})
const schemaPath = 'spec.validation.openAPIV3Schema'
const told = (name: string, storage: boolean) =>
  `{"Name":"${name}","Served":true,"Storage":${storage},"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}`

const conversion = (value: object) => widgetDefinition({}, { spec: { conversion: value } })

describe('CustomResourceDefinition rules', () => {
  const resource = customResourceDefinitionResource()
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

  const definitions = [
    {
      title: 'the name is plural and group',
      definition: { ...widgetDefinition({}), metadata: { name: 'others.example.com' } },
      want: [
        'metadata.name: Invalid value: "others.example.com": must be spec.names.plural+"."+spec.group',
      ],
    },
    {
      title: 'a group has a dot',
      definition: {
        ...widgetDefinition({}, { spec: { group: 'example' } }),
        metadata: { name: 'widgets.example' },
      },
      want: ['spec.group: Invalid value: "example": should be a domain with at least one dot'],
    },
    {
      title: 'groups of the community need approval',
      definition: {
        ...widgetDefinition({}, { spec: { group: 'x.k8s.io' } }),
        metadata: { name: 'widgets.x.k8s.io' },
      },
      want: [
        'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    },
    {
      title: 'exactly one version is stored',
      definition: widgetDefinition(
        {},
        { spec: { versions: [version('v1'), version('v2', { storage: true })] } },
      ),
      want: [
        `spec.versions: Invalid value: [${told('v1', true)},${told('v2', true)}]: must have exactly one version marked as storage version`,
        'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
      ],
    },
    {
      title: 'versions have names of their own',
      definition: widgetDefinition(
        {},
        { spec: { versions: [version('v1'), version('v1', { storage: false })] } },
      ),
      want: [
        `spec.versions: Invalid value: [${told('v1', true)},${told('v1', false)}]: must contain unique version names`,
      ],
    },
    {
      title: 'a version has a schema',
      definition: widgetDefinition({}, { version: { schema: undefined } }),
      want: ['spec.versions[0].schema.openAPIV3Schema: Required value'],
    },
    {
      title: 'a scope is one of two',
      definition: widgetDefinition({}, { spec: { scope: 'Global' } }),
      want: ['spec.scope: Unsupported value: "Global": supported values: "Cluster", "Namespaced"'],
    },
    {
      title: 'a webhook has an address and knows reviews',
      definition: conversion({ strategy: 'Webhook' }),
      want: [
        'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
        'spec.conversion.conversionReviewVersions: Required value',
      ],
    },
    {
      title: 'a webhook has one address, and its certificates can be read',
      definition: conversion({
        strategy: 'Webhook',
        webhook: {
          clientConfig: { url: 'http://x', caBundle: 'bm9wZQ==' },
          conversionReviewVersions: ['v2', 'V!', 'v2'],
        },
      }),
      want: [
        'spec.conversion.webhookClientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
        'spec.conversion.webhookClientConfig.caBundle: Invalid value: "bm9wZQ==": unable to load root certificates: unable to parse bytes as PEM block',
        "spec.conversion.conversionReviewVersions[1]: Invalid value: \"V!\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        'spec.conversion.conversionReviewVersions[2]: Invalid value: "v2": duplicate version',
        'spec.conversion.conversionReviewVersions: Invalid value: ["v2","V!","v2"]: must include at least one of v1, v1beta1',
      ],
    },
    {
      title: 'a service has a name, and a port',
      definition: conversion({
        strategy: 'Webhook',
        webhook: {
          clientConfig: { service: { name: '', namespace: 'x', port: 0, path: '/a//b' } },
          conversionReviewVersions: ['v1'],
        },
      }),
      want: [
        'spec.conversion.webhookClientConfig.service.name: Required value',
        'spec.conversion.webhookClientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
        'spec.conversion.webhookClientConfig.service.path: Invalid value: "/a//b": segment[1] may not be empty',
      ],
    },
    {
      title: 'without a webhook nothing says where it is',
      definition: conversion({
        strategy: 'None',
        webhook: { clientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1'] },
      }),
      want: [
        'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
        'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
      ],
    },
    {
      title: 'unknown fields are kept by the schema alone',
      definition: widgetDefinition({}, { spec: { preserveUnknownFields: true } }),
      want: [
        'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ],
    },
    {
      title: 'names are labels',
      definition: widgetDefinition({}, { names: { shortNames: ['W'] } }),
      want: [
        "spec.names.shortNames[0]: Invalid value: \"W\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    },
    {
      title: 'a warning needs a deprecation',
      definition: widgetDefinition({}, { version: { deprecationWarning: 'x' } }),
      want: [
        'spec.versions[0].deprecationWarning: Invalid value: "x": can only be set for deprecated versions',
      ],
    },
    {
      title: 'parts that versions do not share are told with their version',
      definition: widgetDefinition(
        {},
        {
          spec: {
            versions: [
              version('v1', {
                additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: '.a' }],
              }),
              version('v2'),
            ],
          },
        },
      ),
      want: [
        'spec.versions[0].additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
      ],
    },
    {
      title: 'a version without a word of it is neither served nor stored',
      definition: widgetDefinition(
        {},
        { spec: { versions: [{ ...version('v1'), served: undefined, storage: undefined }] } },
      ),
      want: [
        `spec.versions: Invalid value: [${told('v1', false).replace('"Served":true', '"Served":false')}]: must have exactly one version marked as storage version`,
        'status.storedVersions: Invalid value: null: must have at least one stored version',
      ],
    },
    {
      title: 'a root with a status beside it has few words',
      definition: widgetDefinition(
        { maxProperties: 5 },
        { version: { subresources: { status: {} } } },
      ),
      want: [
        `${schemaPath}: Invalid value: {"type":"object","maxProperties":5}: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled`,
      ],
    },
    {
      title: 'columns have a known type and a path',
      definition: widgetDefinition(
        {},
        { version: { additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: 'spec' }] } },
      ),
      want: [
        'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
        'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec": must be a simple json path starting with .',
      ],
    },
    {
      title: 'the scale reads spec and status',
      definition: widgetDefinition(
        {},
        {
          version: {
            subresources: {
              scale: { specReplicasPath: '.status.a', statusReplicasPath: '.spec.a' },
            },
          },
        },
      ),
      want: [
        'spec.subresources.scale.specReplicasPath: Invalid value: ".status.a": should be a json path under .spec',
        'spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.a": should be a json path under .status',
      ],
    },
    {
      title: 'selectable fields are scalars of the schema',
      definition: widgetDefinition(
        { properties: { spec: { type: 'object', properties: { a: text } } } },
        { version: { selectableFields: [{ jsonPath: '.spec' }, { jsonPath: '.spec.b' }] } },
      ),
      want: [
        'spec.selectableFields[0].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
        'spec.selectableFields[1].jsonPath: Invalid value: ".spec.b": is an invalid path: does not refer to a valid field',
      ],
    },
  ]
  for (const { title, definition, want } of definitions) {
    it(title, async () => {
      expect(await causes(definition)).to.deep.equal(want)
    })
  }

  const schemas = [
    {
      title: 'every field has a type',
      schema: { properties: { a: {}, b: { type: 'array', items: {} } } },
      want: [
        'properties[a].type: Required value: must not be empty for specified object fields',
        'properties[b].items.type: Required value: must not be empty for specified array items',
      ],
    },
    {
      title: 'a list has items',
      schema: { properties: { a: { type: 'array' } } },
      want: ['properties[a].items: Required value: must be specified'],
    },
    {
      title: 'types are those of JSON',
      schema: { properties: { a: { type: 'text' } } },
      want: [
        'properties[a].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"',
      ],
    },
    {
      title: 'junctors check values that the structure has',
      schema: {
        properties: { a: text },
        anyOf: [{ type: 'object' }, { properties: { b: { minLength: 1 } } }],
      },
      want: [
        'anyOf[0].type: Forbidden: must be empty to be structural',
        `properties[b]: Required value: because it is defined in ${schemaPath}.anyOf[1].properties[b]`,
      ],
    },
    {
      title: 'int-or-string may say what it is',
      schema: {
        properties: {
          a: {
            'x-kubernetes-int-or-string': true,
            anyOf: [{ type: 'integer' }, { type: 'string' }],
          },
        },
        required: ['b'],
        not: { description: 'x' },
      },
      want: ['not.description: Forbidden: must be empty to be structural'],
    },
    {
      title: 'a map has no declared fields',
      schema: {
        properties: { a: { type: 'object', properties: { b: text }, additionalProperties: text } },
      },
      want: [
        'properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
      ],
    },
    {
      title: 'the root is no map',
      schema: { additionalProperties: text },
      want: ['additionalProperties: Forbidden: must not be used at the root'],
    },
    {
      title: 'metadata restricts names alone',
      schema: { properties: { metadata: { type: 'object', properties: { labels: text } } } },
      want: [
        'properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
    },
    {
      title: 'words of other dialects mean nothing',
      schema: {
        properties: { a: { ...text, $ref: '#/b', uniqueItems: true, definitions: { c: text } } },
      },
      want: [
        'properties[a].definitions: Forbidden: definitions is not supported',
        'properties[a].$ref: Forbidden: $ref is not supported',
        'properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ],
    },
    {
      title: 'patterns can be read',
      schema: { properties: { a: { ...text, pattern: '(' } } },
      want: [
        'properties[a].pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
      ],
    },
    {
      title: 'defaults keep their own schema',
      schema: {
        properties: {
          a: { ...text, default: 1 },
          b: { type: 'object', properties: { c: text }, default: { d: 'x' } },
        },
      },
      want: [
        'properties[a].default: Invalid value: "integer":  in body must be of type string: "integer"',
        'properties[b].default: Invalid value: {"d":"x"}: must not have unknown fields',
      ],
    },
    {
      title: 'defaults keep their own rules',
      schema: {
        properties: {
          a: {
            ...{ type: 'integer', default: 1 },
            'x-kubernetes-validations': [{ rule: 'self > 1', message: 'too small' }],
          },
        },
      },
      want: ['properties[a].default: Invalid value: 1: too small'],
    },
    {
      title: 'keys of a list are there and scalar',
      schema: {
        properties: {
          a: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k', 'none'],
            items: { type: 'object', properties: { k: text } },
          },
        },
      },
      want: [
        'properties[a].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        'properties[a].x-kubernetes-list-map-keys: Invalid value: ["k","none"]: entries must all be names of item properties',
      ],
    },
    {
      title: 'items of a set are atomic',
      schema: {
        properties: {
          a: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } },
        },
      },
      want: [
        'properties[a].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
      ],
    },
    {
      title: 'rules use what is known',
      schema: {
        properties: {
          a: { ...text, 'x-kubernetes-validations': [{ rule: 'isUrl(self)' }] },
          b: {
            type: 'array',
            maxItems: 5,
            items: { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
          },
          c: { ...text, 'x-kubernetes-validations': [{ rule: 'true', reason: 'Bad' }] },
        },
      },
      want: [
        'properties[c].x-kubernetes-validations[0].reason: Unsupported value: "Bad": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
        'properties[a].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"isUrl(self)","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:6: undeclared reference to \'isUrl\' (in container \'\')\n | isUrl(self)\n | .....^',
        `properties[b].items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${schemaPath}.properties[b]`,
      ],
    },
  ]
  for (const { title, schema, want } of schemas) {
    it(title, async () => {
      const found = await causes(widgetDefinition(schema))
      expect(found).to.deep.equal(want.map((one) => `${schemaPath}.${one}`))
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
    it(`takes the rule ${rule}`, async () => {
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
      })
      expect(found).to.deep.equal([
        `${schemaPath}.properties[spec].x-kubernetes-validations[0].rule: Invalid value: ${shown}: ${told}`,
      ])
    })
  }

  it('refuses a message that is no text', async () => {
    const found = await causes(rulesOf({ rule: 'true', messageExpression: 'self.i' }))
    expect(found?.[0]).to.match(
      /messageExpression: .*: messageExpression must evaluate to a string$/,
    )
  })

  it('a rule that the definition has already is not held to the types', () => {
    const stored = decoded(rulesOf({ rule: 'self.s == 1' })) as CustomResourceDefinition
    stored.status = { storedVersions: ['v1'] }
    const changed = structuredClone(stored)
    changed.spec.names.shortNames = ['w']
    expect(definitionUpdateErrors(changed, stored, celLibraryOf(resource))).to.deep.equal([])
    const other = decoded(rulesOf({ rule: 'self.s == 2' })) as CustomResourceDefinition
    other.status = { storedVersions: ['v1'] }
    expect(definitionUpdateErrors(other, stored, celLibraryOf(resource))).to.have.length(1)
  })

  it('defaults names and conversion, and notes the stored version', async () => {
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
