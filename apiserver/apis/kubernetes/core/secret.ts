import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { builtInPatchTypes, type ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { refusedLabel } from '../fieldLabels.ts'
import { textColumn } from '../../columns.ts'
import { definitionName, mapOf, secret, struct, string } from '../../schema.ts'
import {
  dataIn,
  dataKeyErrors,
  immutableErrors,
  sizeErrors,
  sizeOf,
  type DataMap,
} from './configData.ts'
import { keyPairProblem } from './keyPair.ts'
import {
  accountNameAnnotation,
  refuseRestricted,
  tokenAccount,
  tokenSecretType,
} from './tokenSecret.ts'

/** Required keys of each type of secret. Source: Kubernetes API reference, "Types of Secret". */
const neededKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
}

/** Definition of the Secret kind. Source: Kubernetes API reference, Secret v1. */
export const secretResource: ResourceDefinition = {
  group: '',
  version: 'v1',
  plural: 'secrets',
  singular: 'secret',
  kind: 'Secret',
  namespaced: true,
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  patchTypes: builtInPatchTypes,
  schema: struct(
    {
      immutable: {
        type: 'boolean',
        description: 'Whether the data is immutable; true cannot be changed back.',
      },
      data: secret(
        mapOf(
          { type: 'string', format: 'byte', canonical: 'bytes' },
          'Secret data in base64, by key.',
        ),
      ),
      stringData: secret(
        mapOf(
          { type: 'string' },
          'Secret data in text, for writing only: it goes into data, over what is there.',
        ),
      ),
      type: string('What the secret is for. It cannot be changed.'),
    },
    'Secret holds data that is not for everybody.',
    { definition: definitionName('', 'v1', 'Secret') },
  ),
  strategy: {
    generation: 'none',
    allowUnconditionalUpdate: true,
    metadata: { reportedFirst: true, qualifiedFinalizers: true },
    setDefaults: takeStringData,
    prepareForCreate: (object, context) => {
      takeStringData(object)
      refuseRestricted(object, undefined, context)
    },
    prepareForUpdate: (next, old, context) => {
      takeStringData(next)
      if (next['type'] === undefined) next['type'] = old['type']
      refuseRestricted(next, old, context)
    },
    tellsErrorsOnce: true,
    validate: secretErrors,
    warningsOnCreate: secretWarnings,
    warningsOnUpdate: secretWarnings,
    validateChanges: (next, old) => [
      ...(next['type'] === old['type']
        ? []
        : [invalidField('type', next['type'], 'field is immutable')]),
      ...immutableErrors(next, old, ['data']),
    ],
    validateUpdate: secretErrors,
  },
  refusedField: refusedLabel,
  selectableFields: { type: typeOf },
  columns: [
    nameColumn,
    textColumn('Type', 'type', 'Type of the secret.'),
    {
      name: 'Data',
      type: 'string',
      description: 'Number of keys.',
      cell: (object) => Object.keys(dataIn(object, 'data')).length,
    },
    ageColumn,
  ],
}

function typeOf(object: ApiObject): string {
  return typeof object['type'] === 'string' ? object['type'] : ''
}

/** Encodes `stringData` into `data`, and sets the default type Opaque. */
function takeStringData(object: ApiObject): void {
  const { stringData, ...rest } = object
  if (typeof stringData === 'object' && stringData !== null) {
    const encoded = Object.entries(stringData).map(([key, value]): [string, string] => {
      return [key, Buffer.from(String(value)).toString('base64')]
    })
    const data = { ...dataIn(rest, 'data'), ...Object.fromEntries(encoded) }
    object['data'] = Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)))
    delete object['stringData']
  }
  if (typeOf(object) === '') object['type'] = 'Opaque'
}

function secretWarnings(object: ApiObject): string[] {
  if (typeOf(object) !== 'kubernetes.io/tls') return []
  const decoded = (key: string) =>
    Buffer.from(dataIn(object, 'data')[key] ?? '', 'base64').toString()
  const problem = keyPairProblem(decoded('tls.crt'), decoded('tls.key'))
  return problem === undefined ? [] : [problem]
}

function secretErrors(object: ApiObject): FieldError[] {
  const data = dataIn(object, 'data')
  return [
    ...Object.keys(data).flatMap((key) => dataKeyErrors('data', key)),
    ...sizeErrors('data', sizeOf(Object.values(data), true)),
    ...typeErrors(object),
  ]
}

const documents: Readonly<Record<string, string>> = {
  'kubernetes.io/dockercfg': '.dockercfg',
  'kubernetes.io/dockerconfigjson': '.dockerconfigjson',
}

function typeErrors(object: ApiObject): FieldError[] {
  const type = typeOf(object)
  const data = dataIn(object, 'data')
  const missing = (neededKeys[type] ?? []).filter((key) => data[key] === undefined)
  return [
    ...missing.map((key) => requiredField(`data[${key}]`)),
    ...documentErrors(documents[type], data),
    ...(type === sshType && data[sshKey] === '' ? [requiredField(`data[${sshKey}]`)] : []),
    ...(type === 'kubernetes.io/basic-auth' ? loginErrors(data) : []),
    ...(type === tokenSecretType && tokenAccount(object) === undefined
      ? [requiredField(`metadata.annotations[${accountNameAnnotation}]`)]
      : []),
  ]
}

const sshType = 'kubernetes.io/ssh-auth'
const sshKey = 'ssh-privatekey'

function loginErrors(data: DataMap): FieldError[] {
  if (data['username'] !== undefined || data['password'] !== undefined) return []
  return [requiredField('data[username]'), requiredField('data[password]')]
}

/** Errors for a key whose value must be a JSON object. No part of the value is shown. */
function documentErrors(key: string | undefined, data: DataMap): FieldError[] {
  const base64 = key === undefined ? undefined : data[key]
  if (base64 === undefined) return []
  const problem = documentProblem(Buffer.from(base64, 'base64').toString())
  const shown = '<secret contents redacted>'
  return problem === undefined ? [] : [invalidField(`data[${key}]`, shown, problem)]
}

function documentProblem(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && !Array.isArray(value)) return undefined
    const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`
  } catch {
    const isCut = text.trim() === '' || /[{[:,]\s*$/.test(text)
    return isCut ? 'unexpected end of JSON input' : 'invalid character in JSON'
  }
}
