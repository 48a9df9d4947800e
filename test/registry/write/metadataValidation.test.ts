import { expect } from 'chai'
import type { ObjectMeta } from '../../../apiserver/meta/types.ts'
import {
  validateMetadata,
  validateMetadataUpdate,
} from '../../../apiserver/registry/write/metadataValidation.ts'
import type { NameRule } from '../../../apiserver/registry/strategy.ts'

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const dns1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const namePart =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const labelKey =
  "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

const invalid = (value: unknown, detail: string) =>
  `Invalid value: ${JSON.stringify(value)}: ${detail}`

const node = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }

interface Case {
  name: string
  meta: ObjectMeta
  /** Errors as `field: message`. */
  want: string[]
  rule?: NameRule
  namespaced?: boolean
}

const long = 'a'.repeat(64)

const names: Case[] = [
  {
    name: 'no name',
    meta: {},
    want: ['metadata.name: Required value: name or generateName is required'],
  },
  { name: 'a subdomain', meta: { name: 'a.b-c.0' }, want: [] },
  {
    name: 'capitals in a subdomain',
    meta: { name: 'A' },
    want: [`metadata.name: ${invalid('A', subdomain)}`],
  },
  {
    name: 'a subdomain of 254 bytes',
    meta: { name: 'a'.repeat(254) },
    want: [`metadata.name: ${invalid('a'.repeat(254), 'must be no more than 253 characters')}`],
  },
  {
    name: 'dots in a label',
    meta: { name: 'a.b' },
    rule: 'label',
    want: [`metadata.name: ${invalid('a.b', 'must not contain dots')}`],
  },
  {
    name: 'an underscore in a label of 64 bytes',
    meta: { name: `_${'a'.repeat(63)}` },
    rule: 'label',
    want: [
      `metadata.name: ${invalid(`_${'a'.repeat(63)}`, 'must be no more than 63 characters')}`,
      `metadata.name: ${invalid(`_${'a'.repeat(63)}`, label)}`,
    ],
  },
  {
    name: 'a digit in front of a DNS-1035 label',
    meta: { name: '1a' },
    rule: 'dns1035',
    want: [`metadata.name: ${invalid('1a', dns1035)}`],
  },
  { name: 'a path segment', meta: { name: 'system:a@B' }, rule: 'pathSegment', want: [] },
  {
    name: 'a dot as path segment',
    meta: { name: '.' },
    rule: 'pathSegment',
    want: [`metadata.name: ${invalid('.', "may not be '.'")}`],
  },
  {
    name: 'two dots as path segment',
    meta: { name: '..' },
    rule: 'pathSegment',
    want: [`metadata.name: ${invalid('..', "may not be '..'")}`],
  },
  {
    name: 'a slash and a per cent sign in a path segment',
    meta: { name: 'a/%' },
    rule: 'pathSegment',
    want: [
      `metadata.name: ${invalid('a/%', "may not contain '/'")}`,
      `metadata.name: ${invalid('a/%', "may not contain '%'")}`,
    ],
  },
  { name: 'a prefix with a dash', meta: { name: 'a-x', generateName: 'a-' }, want: [] },
  {
    name: 'a prefix in capitals',
    meta: { name: 'a', generateName: 'A-' },
    want: [`metadata.generateName: ${invalid('A-', subdomain)}`],
  },
]

const named = { name: 'a' }
const manyParts = { apiVersion: 'a/b/c', kind: 'Node', name: 'n', uid: 'u' }

const parts: Case[] = [
  {
    name: 'no namespace',
    meta: named,
    namespaced: true,
    want: ['metadata.namespace: Required value'],
  },
  {
    name: 'a bad namespace',
    meta: { ...named, namespace: 'A' },
    namespaced: true,
    want: [`metadata.namespace: ${invalid('A', label)}`],
  },
  {
    name: 'a namespace on a kind without',
    meta: { ...named, namespace: 'a' },
    want: ['metadata.namespace: Forbidden: not allowed on this type'],
  },
  {
    name: 'an owner of what is no group and version',
    meta: { ...named, ownerReferences: [manyParts] },
    want: [
      `metadata.ownerReferences[0].apiVersion: ${invalid('a/b/c', 'must be <group>/<version> or <version>')}`,
    ],
  },
  {
    name: 'a negative generation',
    meta: { ...named, generation: -1 },
    want: [`metadata.generation: ${invalid(-1, 'must be greater than or equal to 0')}`],
  },
  {
    name: 'label keys',
    meta: {
      ...named,
      labels: { '': 'x', '/a': 'x', 'A/a': 'x', 'a/b/c': 'x', [long]: 'x', 'ok/x': '' },
    },
    want: [
      `metadata.labels: ${invalid('', 'name part must be non-empty')}`,
      `metadata.labels: ${invalid('', namePart)}`,
      `metadata.labels: ${invalid('/a', 'prefix part must be non-empty')}`,
      `metadata.labels: ${invalid('A/a', `prefix part ${subdomain}`)}`,
      `metadata.labels: ${invalid('a/b/c', labelKey)}`,
      `metadata.labels: ${invalid(long, 'name part must be no more than 63 bytes')}`,
    ],
  },
  {
    name: 'label values',
    meta: { ...named, labels: { a: '-', b: long } },
    want: [
      `metadata.labels: ${invalid('-', labelValue)}`,
      `metadata.labels: ${invalid(long, 'must be no more than 63 bytes')}`,
    ],
  },
  {
    name: 'annotation keys in capitals',
    meta: { ...named, annotations: { 'A.B/c': '' } },
    want: [],
  },
  {
    name: 'annotation keys',
    meta: { ...named, annotations: { 'a b': '' } },
    want: [`metadata.annotations: ${invalid('a b', namePart)}`],
  },
  {
    name: 'annotations of 256 KiB and one byte',
    meta: { ...named, annotations: { a: 'ä'.repeat(131072) } },
    want: ['metadata.annotations: Too long: may not be more than 262144 bytes'],
  },
  {
    name: 'annotations of 256 KiB',
    meta: { ...named, annotations: { a: 'a'.repeat(262143) } },
    want: [],
  },
  {
    name: 'an owner without anything',
    meta: {
      ...named,
      ownerReferences: [{ apiVersion: 'group/', kind: '', name: '', uid: '' }],
    },
    want: [
      `metadata.ownerReferences[0].apiVersion: ${invalid('group/', 'must be <group>/<version> or <version>')}`,
      'metadata.ownerReferences[0].kind: Required value: must not be empty',
      'metadata.ownerReferences[0].name: Required value: must not be empty',
      'metadata.ownerReferences[0].uid: Required value: must not be empty',
    ],
  },
  {
    name: 'an event as owner',
    meta: { ...named, ownerReferences: [{ ...node, kind: 'Event' }] },
    want: [
      `metadata.ownerReferences[0]: ${invalid({ ...node, kind: 'Event' }, '/v1, Kind=Event is disallowed from being an owner')}`,
    ],
  },
  { name: 'finalizers', meta: { ...named, finalizers: ['a/b', 'kubernetes'] }, want: [] },
  {
    name: 'a bad finalizer',
    meta: { ...named, finalizers: ['a b'] },
    want: [`metadata.finalizers: ${invalid('a b', namePart)}`],
  },
  {
    name: 'both finalizers of garbage collection',
    meta: { ...named, finalizers: ['orphan', 'foregroundDeletion'] },
    want: [
      `metadata.finalizers: ${invalid(['orphan', 'foregroundDeletion'], 'finalizer orphan and foregroundDeletion cannot be both set')}`,
    ],
  },
  {
    name: 'managed fields',
    meta: {
      ...named,
      managedFields: [
        { manager: 'm', operation: 'Apply', fieldsType: 'FieldsV1' },
        { manager: 'm'.repeat(129), operation: 'x', fieldsType: 'y', subresource: 's'.repeat(257) },
      ],
    },
    want: [
      `metadata.managedFields[1].operation: ${invalid('x', 'must be `Apply` or `Update`')}`,
      `metadata.managedFields[1].fieldsType: ${invalid('y', 'must be `FieldsV1`')}`,
      'metadata.managedFields[1].manager: Too long: may not be more than 128 bytes',
      'metadata.managedFields[1].subresource: Too long: may not be more than 256 bytes',
    ],
  },
]

describe('validateMetadata', () => {
  for (const { name, meta, want, rule = 'subdomain', namespaced = false } of [...names, ...parts]) {
    it(`${name} (reference 3.10)`, () => {
      const errors = validateMetadata(meta, { namespaced, nameRule: rule })
      expect(errors.map(({ field, message }) => `${field}: ${message}`)).to.deep.equal(want)
    })
  }

  it('several controllers: each after the first is reported with the first (reference 3.10, spec meta.ownerReferences.controller)', () => {
    const owners = ['a', 'b', 'c'].map((name) => ({ ...node, name, uid: name, controller: true }))
    const text = (other: string) =>
      invalid(
        owners,
        `Only one reference can have Controller set to true. Found "true" in references for Node/a and Node/${other}`,
      )
    const errors = validateMetadata(
      { ...named, ownerReferences: owners },
      { namespaced: false, nameRule: 'subdomain' },
    )
    expect(errors.map(({ message }) => message)).to.deep.equal([text('b'), text('c')])
  })
})

describe('validateMetadataUpdate', () => {
  const old: ObjectMeta = { name: 'a', resourceVersion: '5', generation: 2 }
  const cases: { name: string; next: ObjectMeta; want: string[] }[] = [
    { name: 'nothing changed', next: old, want: [] },
    {
      name: 'no resourceVersion',
      next: { name: 'a', generation: 2 },
      want: [`metadata.resourceVersion: ${invalid('', 'must be specified for an update')}`],
    },
    {
      name: 'a lower generation',
      next: { ...old, generation: 1 },
      want: [`metadata.generation: ${invalid(1, 'must not be decremented')}`],
    },
  ]
  for (const { name, next, want } of cases) {
    it(`${name} (reference 3.10)`, () => {
      const errors = validateMetadataUpdate(next, old)
      expect(errors.map(({ field, message }) => `${field}: ${message}`)).to.deep.equal(want)
    })
  }
})
