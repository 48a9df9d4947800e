import { specField } from '../../authorization/rbac/accessEntry.ts'
import { managementGroup, type NamesProfile } from '../../meta/names/namesProfile.ts'
import type { Schema } from '../../meta/schema.ts'
import { groupVersionString, type ApiObject, type GroupResource } from '../../meta/types.ts'
import type { Answers } from '../../registry/answers.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { definitionName, struct } from '../schema.ts'

type Fields = Readonly<Record<string, Schema>>

/** A kind of the management group. */
export interface ManagementKind {
  names: NamesProfile
  kind: string
  plural: string
  namespaced?: boolean
  description: string
  /** Fields other than those of the envelope. */
  fields: Fields
}

const storedVerbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
] as const

/**
 * Common properties of stored kinds of the group. Kinds with owners or access entries are visible.
 */
export function storedKind(kind: ManagementKind): ResourceDefinition {
  const names = namesOf(kind)
  const isShared = ['owner', 'access'].some((field) => specField(names.schema, field) !== undefined)
  return {
    ...names,
    verbs: storedVerbs,
    visible: isShared,
    strategy: {
      generation: 'specAndAnnotations',
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: true,
    },
  }
}

/**
 * Kind that is computed for each request and not stored. A subresource shares its parent's plural.
 */
export function answeredKind(
  kind: ManagementKind,
  verbs: ResourceDefinition['verbs'],
  answers: Answers,
): ResourceDefinition {
  return { ...namesOf(kind), verbs, strategy: {}, answers }
}

function namesOf({ names, kind, plural, namespaced = false, description, fields }: ManagementKind) {
  const group = managementGroup(names)
  return {
    group,
    version: 'v1',
    plural,
    singular: kind.toLowerCase(),
    kind,
    namespaced,
    schema: struct(fields, description, { definition: definitionName(group, 'v1', kind) }),
  }
}

/** A response object of a kind of the group. */
export function answerObject(
  names: NamesProfile,
  kind: string,
  { metadata = {}, ...fields }: Partial<ApiObject>,
): ApiObject {
  const apiVersion = groupVersionString({ group: managementGroup(names), version: 'v1' })
  return { kind, apiVersion, metadata, ...fields }
}

/** A resource of the group. */
export function managementResource(names: NamesProfile, resource: string): GroupResource {
  return { group: managementGroup(names), resource }
}

/**
 * Marks structures that may have fields not listed here: clients send back everything they read.
 */
export const open = { 'x-kubernetes-preserve-unknown-fields': true } as const

/** A field whose content the platform passes on unchanged. */
export function opaque(description: string): Schema {
  return {
    type: 'object',
    description,
    ...open,
    omitEmpty: true,
  }
}
