import type { Schema } from '../apiserver/meta/schema.ts'
import type { GroupVersion, GroupVersionKind } from '../apiserver/meta/types.ts'
import { listKindOf, type ResourceDefinition } from '../apiserver/registry/resource.ts'
import type { ResourceSet } from '../apiserver/registry/resourceSet.ts'
import type { DefinedSchema } from './definedSchema.ts'
import { apiVersionDescription, kindDescription } from './meta/names.ts'
import {
  everywhereKinds,
  objectMeta,
  sharedSchemas,
  versionOneKinds,
} from './meta/sharedSchemas.ts'
import { listMeta } from './meta/status.ts'

/** A definition whose form does not depend on where it is first used. */
export interface KnownDefinition {
  schema: Schema
  /** Kinds that it is served as; empty if it is not a kind. */
  groupVersionKinds: GroupVersionKind[]
}

/** The known definitions by name: the kinds of the set, their lists, and those shared by all groups. */
export function knownDefinitions(set: ResourceSet): ReadonlyMap<string, KnownDefinition> {
  const kinds = sharedDefinitions(set.groupVersions())
  for (const resource of set.all()) {
    const { group, version, kind } = resource
    add(kinds, kindSchema(resource), { group, version, kind })
    if (resource.verbs.includes('list')) {
      add(kinds, listSchema(resource), { group, version, kind: listKindOf(resource) })
    }
    for (const spoken of spokenKinds(resource)) {
      const { group, version, kind } = spoken
      add(kinds, kindSchema(spoken), { group, version, kind })
    }
  }
  return kinds
}

function spokenKinds({ subresources }: ResourceDefinition): ResourceDefinition[] {
  return (subresources ?? []).flatMap((sub) => ('resource' in sub ? [sub.resource] : []))
}

function add(
  kinds: Map<string, KnownDefinition>,
  schema: DefinedSchema,
  gvk: GroupVersionKind,
): void {
  const known = kinds.get(schema.definition)
  if (known === undefined) kinds.set(schema.definition, { schema, groupVersionKinds: [gvk] })
  else if (!known.groupVersionKinds.some(sameAs(gvk))) known.groupVersionKinds.push(gvk)
}

function sameAs(gvk: GroupVersionKind): (other: GroupVersionKind) => boolean {
  return ({ group, version, kind }) =>
    group === gvk.group && version === gvk.version && kind === gvk.kind
}

/** The whole object, with what every object has filled in. */
export function kindSchema(resource: ResourceDefinition): DefinedSchema {
  const { apiVersion, kind, metadata, ...rest } = resource.schema.properties ?? {}
  return {
    ...resource.schema,
    definition: definitionOf(resource),
    type: 'object',
    properties: {
      apiVersion: { type: 'string', description: apiVersion?.description ?? apiVersionDescription },
      kind: { type: 'string', description: kind?.description ?? kindDescription },
      metadata: {
        ...objectMeta,
        description: metadata?.description ?? 'The metadata of the object.',
      },
      ...rest,
    },
  }
}

export function listSchema(resource: ResourceDefinition): DefinedSchema {
  const listKind = listKindOf(resource)
  return {
    definition: definitionOf(resource).replace(/[^.]*$/, listKind),
    description: `A list of objects of kind ${resource.kind}.`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string', description: apiVersionDescription },
      items: { type: 'array', description: 'The objects.', items: kindSchema(resource) },
      kind: { type: 'string', description: kindDescription },
      metadata: { ...listMeta, description: 'The metadata of the list.' },
    },
  }
}

/** The schema's own name, or the group's parts backwards, the version and the kind: `dev.example.v1.Widget`. */
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
  for (const schema of sharedSchemas) keep(schema, '', [])
  for (const [kind, schema] of Object.entries(versionOneKinds)) keep(schema, kind, [core])
  for (const [kind, schema] of Object.entries(everywhereKinds)) {
    keep(schema, kind, [core, ...others])
  }
  return known
}
