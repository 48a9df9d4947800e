import type { Schema } from '../../meta/schema.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import type { IdentityGroups } from '../superusers.ts'
import type { PolicyRule } from './policyRule.ts'

/** One entry of `spec.access`: verbs on the object it stands in, for users and teams.
 *  Source: specification, SharedSecret, "access"; platform facts 7.1. */
export interface AccessEntry {
  name?: string
  verbs: string[]
  subresources?: string[]
  users?: string[]
  teams?: string[]
}

export function accessOf(object: ApiObject): AccessEntry[] {
  // The schema of a kind with access entries says what they are.
  return (object['spec'] as { access?: AccessEntry[] } | undefined)?.access ?? []
}

/** The names of `spec.clusterRoles`. */
export function clusterRolesOf(object: ApiObject): string[] {
  // The schema of a kind with cluster roles says what they are.
  const spec = object['spec'] as { clusterRoles?: { name?: string }[] } | undefined
  return (spec?.clusterRoles ?? []).flatMap(({ name = '' }) => (name === '' ? [] : [name]))
}

/** What an entry allows on the object. Subresources that are named stand for themselves, without the object; `*` among
 *  the verbs reaches all of them. */
export function accessRule(
  { group, plural, subresources = [] }: ResourceDefinition,
  object: ApiObject,
  { verbs, subresources: named = [] }: AccessEntry,
): PolicyRule {
  const all = verbs.includes('*') ? subresources.map(({ name }) => name) : []
  const below = (named.length > 0 ? named : all).map((name) => `${plural}/${name}`)
  return {
    verbs,
    apiGroups: [group],
    resources: named.length > 0 ? below : [plural, ...below],
    resourceNames: [object.metadata.name ?? ''],
  }
}

/** The groups that an entry speaks of. */
export function accessGroups({ users = [], teams = [] }: AccessEntry, groups: IdentityGroups) {
  return [...users.map((name) => groups.user(name)), ...teams.map((name) => groups.team(name))]
}

/** The schema of a field of the spec. */
export function specField(schema: Schema, name: string): Schema | undefined {
  return schema.properties?.['spec']?.properties?.[name]
}
