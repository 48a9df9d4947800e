import type { Schema } from '../apiserver/meta/schema.ts'
import type { GroupVersion, GroupVersionKind } from '../apiserver/meta/types.ts'
import { listKindOf, type ResourceDefinition } from '../apiserver/registry/resource.ts'
import type { ResourceSet } from '../apiserver/registry/resourceSet.ts'
import type { DefinedSchema } from './definedSchema.ts'
import { isCustomGroup } from './customGroup.ts'
import { customListSchema } from './customKinds/envelope.ts'
import { customSchema } from './customKinds/customSchema.ts'
import type { Definitions } from './definitions.ts'
import type { PublishedSchema } from './publishedSchema.ts'
import { everywhereKinds, shared, versionOneKinds } from './sharedDefinitions.ts'

/** Definition with a form that does not depend on its first use. */
export interface KnownDefinition {
  schema: Schema
  /** Kinds served with this definition; empty if it is not a kind. */
  groupVersionKinds: GroupVersionKind[]
  /** Creates the published schema in place of `schema`. */
  written?: ((dialect: 'v2' | 'v3') => PublishedSchema) | undefined
}

/** The definitions of the kinds of the set and their lists, by name. */
export function servedKinds(
  set: ResourceSet,
  builtIn: Definitions,
): ReadonlyMap<string, KnownDefinition> {
  const kinds = new Map<string, KnownDefinition>()
  const words = standardWords(builtIn)
  for (const resource of set.all()) {
    const { group, version, kind } = resource
    const written = resource.declared && writtenKind(resource, resource.declared)
    add(kinds, kindSchema(resource, words), { group, version, kind }, written?.object)
    if (resource.verbs.includes('list')) {
      const list = { group, version, kind: listKindOf(resource) }
      add(kinds, listSchema(resource, words), list, written?.list)
    }
    for (const spoken of spokenKinds(resource)) {
      const { group, version, kind } = spoken
      add(kinds, kindSchema(spoken, words), { group, version, kind })
    }
  }
  return kinds
}

/** The known definitions of one document: served kinds, and definitions shared by every group. */
export class KnownDefinitions {
  readonly #kinds: ReadonlyMap<string, KnownDefinition>
  readonly #shared: ReadonlyMap<string, KnownDefinition>

  /** @param places group versions of the document, besides the core group. */
  constructor(
    kinds: ReadonlyMap<string, KnownDefinition>,
    set: ResourceSet,
    places: GroupVersion[],
  ) {
    this.#kinds = kinds
    this.#shared = sharedDefinitions(places.filter(({ group }) => !isCustomGroup(set, group)))
  }

  get(name: string): KnownDefinition | undefined {
    const [shared, kind] = [this.#shared.get(name), this.#kinds.get(name)]
    if (shared === undefined || kind === undefined) return shared ?? kind
    const more = kind.groupVersionKinds.filter((gvk) => !shared.groupVersionKinds.some(sameAs(gvk)))
    return { ...shared, groupVersionKinds: [...shared.groupVersionKinds, ...more] }
  }
}

function spokenKinds({ subresources }: ResourceDefinition): ResourceDefinition[] {
  return (subresources ?? []).flatMap((sub) => ('resource' in sub ? [sub.resource] : []))
}

/** Schema of a custom kind, written from its definition. */
function writtenKind(
  resource: ResourceDefinition,
  { schema, selectable }: NonNullable<ResourceDefinition['declared']>,
): Record<'object' | 'list', KnownDefinition['written']> {
  const { kind, plural } = resource
  const names = { kind, plural, listKind: listKindOf(resource), definition: definitionOf(resource) }
  const fields = selectable.map((fieldPath) => ({ fieldPath }))
  const extension = fields.length === 0 ? {} : { 'x-kubernetes-selectable-fields': fields }
  return {
    object: (dialect) => ({ ...customSchema(schema, dialect), ...extension }),
    list: (dialect) => ({ ...customListSchema(names, dialect), ...extension }),
  }
}

function add(
  kinds: Map<string, KnownDefinition>,
  schema: DefinedSchema,
  gvk: GroupVersionKind,
  written?: KnownDefinition['written'],
): void {
  const known = kinds.get(schema.definition)
  if (known === undefined)
    kinds.set(schema.definition, { schema, groupVersionKinds: [gvk], written })
  else if (!known.groupVersionKinds.some(sameAs(gvk))) known.groupVersionKinds.push(gvk)
}

function sameAs(gvk: GroupVersionKind): (other: GroupVersionKind) => boolean {
  return ({ group, version, kind }) =>
    group === gvk.group && version === gvk.version && kind === gvk.kind
}

/** Definition of a resource's kind, by name alone. */
export function kindDefinition(resource: ResourceDefinition): DefinedSchema {
  return { definition: definitionOf(resource) }
}

/** Definition of a resource's list, by name alone. */
export function listDefinition(resource: ResourceDefinition): DefinedSchema {
  return { definition: definitionOf(resource).replace(/[^.]*$/, listKindOf(resource)) }
}

/** Descriptions of the fields that all objects and lists have. */
interface StandardWords {
  apiVersion: Schema
  kind: Schema
  metadata: Schema
  listMetadata: Schema
}

function standardWords(builtIn: Definitions): StandardWords {
  const field = (definition: string, name: string): Schema =>
    builtIn.schema(definition)?.properties?.[name] ?? {}
  const { apiVersion, kind } = builtIn.schema(shared.status.definition)?.properties ?? {}
  return {
    apiVersion: { type: 'string', ...apiVersion },
    kind: { type: 'string', ...kind },
    metadata: field('io.k8s.api.core.v1.Pod', 'metadata'),
    listMetadata: field('io.k8s.api.core.v1.PodList', 'metadata'),
  }
}

/** Schema of the whole object, with the fields of every object. */
function kindSchema(resource: ResourceDefinition, words: StandardWords): DefinedSchema {
  const { apiVersion, kind, metadata, ...rest } = resource.schema.properties ?? {}
  return {
    ...resource.schema,
    ...kindDefinition(resource),
    type: 'object',
    properties: {
      apiVersion: described(words.apiVersion, apiVersion),
      kind: described(words.kind, kind),
      metadata: { ...described(words.metadata, metadata), ...shared.objectMeta },
      ...rest,
    },
  }
}

function described(schema: Schema, own: Schema | undefined): Schema {
  const { default: _default, ...rest } = schema
  return own?.description === undefined ? rest : { ...rest, description: own.description }
}

function listSchema(resource: ResourceDefinition, words: StandardWords): DefinedSchema {
  const { kind, plural } = resource
  return {
    ...listDefinition(resource),
    description: `${listKindOf(resource)} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: words.apiVersion,
      items: {
        type: 'array',
        description: `List of ${plural}. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md`,
        items: kindDefinition(resource),
      },
      kind: words.kind,
      metadata: { ...described(words.listMetadata, undefined), ...shared.listMeta },
    },
  }
}

/**
 * Name of the schema, or the parts of the group in reverse order, the version and the kind: `dev.example.v1.Widget`.
 */
function definitionOf({ schema, group, version, kind }: ResourceDefinition): string {
  const reversed = group === '' ? [] : group.split('.').reverse()
  return schema.definition ?? [...reversed, version, kind].join('.')
}

function sharedDefinitions(groupVersions: GroupVersion[]): Map<string, KnownDefinition> {
  const core = { group: '', version: 'v1' }
  const others = groupVersions.filter(({ group, version }) => group !== '' || version !== 'v1')
  const known = new Map<string, KnownDefinition>()
  const keep = (schema: DefinedSchema, kind: string, places: GroupVersion[]) => {
    const groupVersionKinds = places.map(({ group, version }) => ({ group, version, kind }))
    known.set(schema.definition, { schema, groupVersionKinds })
  }
  for (const [kind, schema] of Object.entries(versionOneKinds)) keep(schema, kind, [core])
  for (const [kind, schema] of Object.entries(everywhereKinds)) {
    keep(schema, kind, [core, ...others])
  }
  return known
}
