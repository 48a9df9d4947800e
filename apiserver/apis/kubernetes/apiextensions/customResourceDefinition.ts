import type { Schema } from '../../../meta/schema.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { builtInPatchTypes, type ResourceDefinition } from '../../../registry/resource.ts'
import type { Strategy } from '../../../registry/strategy.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import { CelLibrary } from '../../../cel/library.ts'
import {
  cleanupFinalizer,
  storageVersion,
  type CustomResourceDefinition,
  type DefinitionVersion,
} from '../../../customResources/definition.ts'
import { withDeletion } from '../../../customResources/definitionStatus.ts'
import {
  acceptedNamesErrors,
  definitionErrors,
  definitionNameErrors,
  definitionUpdateErrors,
  missingVersions,
} from './definitionRules.ts'
import { definitionColumns } from './definitionColumns.ts'
import { formatWarnings } from './formatWarnings.ts'
import { readPatterns } from './patternBounds.ts'
import { kindSchema, type KindContext } from '../builtInKind.ts'

export const definitionsResource = {
  group: 'apiextensions.k8s.io',
  resource: 'customresourcedefinitions',
}

/**
 * Kind for definitions of custom kinds. Its schema is created on first use. Source: Kubernetes API reference,
 * CustomResourceDefinition v1.
 */
export function customResourceDefinitionResource({ types }: KindContext): ResourceDefinition {
  const cel = new CelLibrary()
  const resource: ResourceDefinition = {
    group: definitionsResource.group,
    version: 'v1',
    plural: definitionsResource.resource,
    singular: 'customresourcedefinition',
    kind: 'CustomResourceDefinition',
    namespaced: false,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    patchTypes: builtInPatchTypes,
    // The largest definitions in use have sixty thousand values in several versions.
    maxWeight: 200_000,
    strategy: strategy(cel),
    columns: definitionColumns,
    // Definitions are stored in the oldest version that any server can read.
    storageVersion: 'v1beta1',
    subresources: [{ name: 'status', verbs: ['get', 'patch', 'update'], strategy: statusStrategy }],
    get schema(): Schema {
      const schema = kindSchema(types, this, description)
      Object.defineProperty(this, 'schema', { value: schema, enumerable: true })
      return schema
    },
  }
  libraries.set(resource, cel)
  return resource
}

const description = 'CustomResourceDefinition is a kind that is served as if it were built in.'

const libraries = new WeakMap<ResourceDefinition, CelLibrary>()

/** CEL library that parses validation rules, loaded when the first definition is stored. */
export function celLibraryOf(resource: ResourceDefinition): CelLibrary {
  return libraries.get(resource) ?? new CelLibrary()
}

function strategy(cel: CelLibrary): Strategy {
  return {
    metadata: {
      namesOnCreate: true,
      reportedFirst: true,
      repeats: 'changes',
      nameErrors: (object) => definitionNameErrors(asDefinition(object)),
    },
    resetsStatus: true,
    setDefaults,
    // Only this hook is asynchronous, and it runs before the hooks that parse rules.
    authorizeWrite: async (next, _old, { turn }) => {
      await readPatterns(next['spec'], () => turn?.(Infinity))
    },
    prepareForCreate: (object) => {
      object['status'] = {}
      noteStoredVersion(asDefinition(object))
    },
    prepareForUpdate: (next) => noteStoredVersion(asDefinition(next)),
    raisesGeneration: (next) => hasUnboundItems(asDefinition(next)),
    validate: (object) => definitionErrors(asDefinition(object), cel),
    validateUpdate: (next, old) =>
      definitionUpdateErrors(asDefinition(next), asDefinition(old), cel),
    warningsOnCreate: (object) => formatWarnings(asDefinition(object).spec),
    warningsOnUpdate: (next, old) =>
      formatWarnings(asDefinition(next).spec, asDefinition(old).spec),
    deletion: {
      // A definition is always marked for deletion first, since its objects are deleted before it.
      isHeld: ({ metadata }) => metadata.deletionTimestamp === undefined,
      mark: (object) => markDeleted(asDefinition(object)),
    },
  }
}

const statusStrategy: Strategy = {
  resetsContent: true,
  validateUpdate: (next) => acceptedNamesErrors(asDefinition(next)),
}

/** Versions of a definition that is not validated yet, which may lack them. */
function givenVersions({
  versions,
}: {
  versions?: DefinitionVersion[] | null
}): DefinitionVersion[] | undefined {
  return versions ?? undefined
}

/** Reads a definition; missing versions, which the rules refuse, are `missingVersions`. */
function asDefinition(object: ApiObject): CustomResourceDefinition {
  const definition = object as CustomResourceDefinition // the schema is checked before the hooks run
  if (givenVersions(definition.spec) !== undefined) return definition
  return { ...definition, spec: { ...definition.spec, versions: missingVersions } }
}

/** Sets defaults. A patch may have removed any field. Source: apiextensions, SetDefaults_CustomResourceDefinition. */
function setDefaults(object: ApiObject): void {
  const { spec }: Partial<CustomResourceDefinition> = object
  if (spec === undefined) return
  setNames(spec.names)
  spec.conversion ??= { strategy: 'None' }
  const service = spec.conversion.webhook?.clientConfig?.service
  if (service !== undefined) service.port ??= 443
  forSchemas(givenVersions(spec) ?? [], readItems)
}

function setNames(names: DefinitionNames | undefined): void {
  if (!names?.kind) return
  names.singular ??= names.kind.toLowerCase()
  names.listKind ??= `${names.kind}List`
}

/**
 * Decodes `items` of a schema. An empty schema or an empty list does not constrain the items; in a
 * map, an empty list is refused. Source: seen on kube-apiserver 1.37.2.
 */
function readItems(schema: Record<string, unknown>): void {
  const { items } = schema
  const isMap = schema['x-kubernetes-list-type'] === 'map'
  const isNone = Array.isArray(items) ? items.length === 0 && !isMap : !isObject(items)
  if (items !== undefined && isNone) schema['items'] = null
}

/**
 * Reports whether a schema has `items` that do not constrain them. They are not stored, so each update that sends them
 * changes the specification. Source: seen on kube-apiserver 1.37.2.
 */
function hasUnboundItems({ spec }: CustomResourceDefinition): boolean {
  let isFound = false
  forSchemas(spec.versions, ({ items }) => (isFound ||= items === null))
  return isFound
}

type Visit = (schema: Record<string, unknown>) => unknown

/** Calls `visit` for every schema of the versions, outermost first. */
function forSchemas(versions: readonly DefinitionVersion[], visit: Visit): void {
  const walk = (schema: unknown): void => {
    if (Array.isArray(schema)) return schema.forEach(walk)
    if (!isObject(schema)) return
    visit(schema)
    const { properties, allOf, anyOf, oneOf, not, additionalProperties, items } = schema
    ;[allOf, anyOf, oneOf, not, additionalProperties, items].forEach(walk)
    if (isObject(properties)) Object.values(properties).forEach(walk)
  }
  for (const { schema } of versions) walk(schema?.openAPIV3Schema)
}

type DefinitionNames = CustomResourceDefinition['spec']['names']

/** Records the storage version, since objects may still be stored in any former storage version. */
function noteStoredVersion(definition: CustomResourceDefinition): void {
  const stored = storageVersion(definition.spec)?.name
  const before = definition.status?.storedVersions ?? []
  if (stored === undefined || before.includes(stored)) return
  definition.status = { ...definition.status, storedVersions: [...before, stored] }
}

function markDeleted(definition: CustomResourceDefinition): void {
  const { metadata } = definition
  const finalizers = metadata.finalizers ?? []
  if (!finalizers.includes(cleanupFinalizer))
    metadata.finalizers = [...finalizers, cleanupFinalizer]
  const nowMs = Date.parse(metadata.deletionTimestamp ?? '')
  definition.status = withDeletion(definition, 'pending', nowMs).status ?? {}
  // The definition is deleted when its objects are gone, without a grace period.
  delete metadata.deletionGracePeriodSeconds
}
