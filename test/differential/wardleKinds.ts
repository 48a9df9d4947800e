import { invalidField, type FieldError } from '../../apiserver/meta/fieldErrors.ts'
import type { Schema } from '../../apiserver/meta/schema.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { builtInPatchTypes, type ResourceDefinition } from '../../apiserver/registry/resource.ts'

/**
 * The two kinds of the sample API server, defined for this server. Source: k8s.io/sample-apiserver,
 * pkg/apis/wardle.
 */

const group = 'wardle.example.com'
const verbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
] as const

interface FlunderSpec {
  reference?: string
  referenceType?: string
}

interface Flunder extends ApiObject {
  spec: FlunderSpec
}

const text: Schema = { type: 'string', omitEmpty: true }
const flunderSchema: Schema = {
  definition: 'com.example.wardle.v1alpha1.Flunder',
  type: 'object',
  properties: {
    metadata: {},
    spec: {
      definition: 'com.example.wardle.v1alpha1.FlunderSpec',
      type: 'object',
      properties: { reference: text, referenceType: text },
      zero: {},
    },
    status: {
      definition: 'com.example.wardle.v1alpha1.FlunderStatus',
      type: 'object',
      properties: {},
      zero: {},
    },
  },
}

export const flunders: ResourceDefinition = {
  group,
  version: 'v1alpha1',
  plural: 'flunders',
  singular: 'flunder',
  kind: 'Flunder',
  namespaced: true,
  verbs,
  patchTypes: builtInPatchTypes,
  schema: flunderSchema,
  strategy: {
    generation: 'none',
    nameRule: 'pathSegment',
    resetsStatus: false,
    setDefaults: (object) => fillReference(specOf(object)),
    validate: (object) => flunderErrors(specOf(object)),
  },
}

/** The same objects with a field for each kind of reference. */
export const newerFlunders: ResourceDefinition = {
  ...flunders,
  version: 'v1beta1',
  schema: {
    ...flunderSchema,
    definition: 'com.example.wardle.v1beta1.Flunder',
    properties: {
      ...flunderSchema.properties,
      spec: {
        definition: 'com.example.wardle.v1beta1.FlunderSpec',
        type: 'object',
        properties: { flunderReference: text, fischerReference: text, referenceType: text },
        zero: {},
      },
    },
  },
  strategy: { ...flunders.strategy, setDefaults: () => undefined, validate: () => [] },
  storedAs: { resource: flunders, toStored, fromStored },
}

function toStored(object: ApiObject): ApiObject {
  const { flunderReference, fischerReference, referenceType } = newerSpecOf(object)
  const reference = referenceType === 'Fischer' ? fischerReference : flunderReference
  return withSpec(object, 'v1alpha1', { reference, referenceType })
}

function fromStored(object: ApiObject): ApiObject {
  const { reference, referenceType } = specOf(object)
  const name = referenceType === 'Fischer' ? 'fischerReference' : 'flunderReference'
  return withSpec(object, 'v1beta1', { [name]: reference, referenceType })
}

function newerSpecOf(object: ApiObject): Record<string, string | undefined> {
  // The schema allows only an object of strings.
  return (object as { spec?: Record<string, string | undefined> }).spec ?? {}
}

function withSpec(
  object: ApiObject,
  version: string,
  spec: Record<string, string | undefined>,
): ApiObject {
  const given = Object.entries(spec).filter(([, value]) => value !== undefined)
  const apiVersion = `${group}/${version}`
  return { ...object, apiVersion, spec: Object.fromEntries(given) }
}

export const fischers: ResourceDefinition = {
  group,
  version: 'v1alpha1',
  plural: 'fischers',
  singular: 'fischer',
  kind: 'Fischer',
  namespaced: false,
  verbs,
  patchTypes: builtInPatchTypes,
  schema: {
    definition: 'com.example.wardle.v1alpha1.Fischer',
    type: 'object',
    properties: {
      metadata: {},
      disallowedFlunders: {
        type: 'array',
        items: { type: 'string' },
        omitEmpty: true,
        'x-kubernetes-list-type': 'atomic',
      },
    },
  },
  strategy: { generation: 'none', nameRule: 'pathSegment' },
}

function specOf(object: ApiObject): FlunderSpec {
  // The schema creates this object before any hook runs; other values are refused.
  return (object as Flunder).spec ?? {}
}

/** Drops references of unknown types: the internal form has one for each known type. */
function fillReference(spec: FlunderSpec): void {
  if (!spec.referenceType && spec.reference) spec.referenceType = 'Flunder'
  if (spec.referenceType === 'Flunder' || spec.referenceType === 'Fischer') return
  delete spec.reference
  delete spec.referenceType
}

function flunderErrors({ reference = '', referenceType = '' }: FlunderSpec): FieldError[] {
  if (referenceType === '' || reference !== '') return []
  const field = `spec.${referenceType.toLowerCase()}Reference`
  return [invalidField(field, reference, `cannot be empty if referenceType is ${referenceType}`)]
}
