import type { FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { builtInPatchTypes, type ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { definitionName, mapOf, struct } from '../../schema.ts'
import {
  dataIn,
  dataKeyErrors,
  immutableErrors,
  duplicateKey,
  sizeErrors,
  sizeOf,
} from './configData.ts'

/** Definition of the ConfigMap kind. Source: Kubernetes API reference, ConfigMap v1. */
export const configMapResource: ResourceDefinition = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  singular: 'configmap',
  kind: 'ConfigMap',
  namespaced: true,
  shortNames: ['cm'],
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  patchTypes: builtInPatchTypes,
  schema: struct(
    {
      immutable: {
        type: 'boolean',
        description: 'Whether the data is immutable; true cannot be changed back.',
      },
      data: mapOf({ type: 'string' }, 'Configuration in text, by key.'),
      binaryData: mapOf(
        { type: 'string', format: 'byte', canonical: 'bytes' },
        'Configuration in base64, by key; no key is in data too.',
      ),
    },
    'ConfigMap holds configuration for others to read.',
    { definition: definitionName('', 'v1', 'ConfigMap') },
  ),
  strategy: {
    generation: 'none',
    allowUnconditionalUpdate: true,
    metadata: { reportedFirst: true, qualifiedFinalizers: true },
    tellsErrorsOnce: true,
    validate: configMapErrors,
    validateChanges: (next, old) => immutableErrors(next, old, ['data', 'binaryData']),
    validateUpdate: configMapErrors,
  },
  columns: [
    nameColumn,
    {
      name: 'Data',
      type: 'string',
      description: 'Number of keys.',
      cell: (object) =>
        Object.keys(dataIn(object, 'data')).length +
        Object.keys(dataIn(object, 'binaryData')).length,
    },
    ageColumn,
  ],
}

function configMapErrors(object: ApiObject): FieldError[] {
  const data = dataIn(object, 'data')
  const binary = dataIn(object, 'binaryData')
  return [
    ...Object.keys(data).flatMap((key) => [
      ...dataKeyErrors('data', key),
      ...(Object.hasOwn(binary, key) ? [duplicateKey('data', key)] : []),
    ]),
    ...Object.keys(binary).flatMap((key) => dataKeyErrors('binaryData', key)),
    ...sizeErrors('[]', sizeOf(Object.values(data), false) + sizeOf(Object.values(binary), true)),
  ]
}
