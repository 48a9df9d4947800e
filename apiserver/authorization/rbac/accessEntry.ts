import type { Schema } from '../../meta/schema.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import type { IdentityGroups } from '../superusers.ts'
import type { PolicyRule } from './policyRule.ts'

/**
 * An entry of `spec.access`: verbs that users and teams may use on the entry's object.
 * Source: specification, SharedSecret, "access"; platform facts 7.1.
 */
export interface AccessEntry {
  name?: string
  verbs: string[]
  subresources?: string[]
  users?: string[]
  teams?: string[]
}

export function accessOf(object: ApiObject): AccessEntry[] {
  // Guaranteed by the schema of kinds with access entries.
  return (object['spec'] as { access?: AccessEntry[] } | undefined)?.access ?? []
}

/** The names in `spec.clusterRoles`. */
export function clusterRolesOf(object: ApiObject): string[] {
  // Guaranteed by the schema of kinds with cluster roles.
  const spec = object['spec'] as { clusterRoles?: { name?: string }[] } | undefined
  return (spec?.clusterRoles ?? []).flatMap(({ name = '' }) => (name === '' ? [] : [name]))
}

/**
 * The rule for an entry. Named subresources are allowed without the object itself; the verb `*`
 * includes all of them.
 */
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

/** The groups that an entry names. */
export function accessGroups({ users = [], teams = [] }: AccessEntry, groups: IdentityGroups) {
  return [...users.map((name) => groups.user(name)), ...teams.map((name) => groups.team(name))]
}

/** A user or team with a cluster role in the namespace of an object; the role may be empty. */
export interface RoleMember {
  plural: 'users' | 'teams'
  name: string
  clusterRole: string
}

const memberPlurals: Readonly<Record<string, RoleMember['plural']>> = {
  User: 'users',
  Team: 'teams',
}

/** The entries of `spec.members` that name a user or a team. */
export function roleMembersOf(object: ApiObject): RoleMember[] {
  // Guaranteed by the schema of kinds with such members.
  const spec = object['spec'] as { members?: Record<string, string>[] } | undefined
  return (spec?.members ?? []).flatMap(({ kind = '', name = '', clusterRole = '' }) => {
    const plural = memberPlurals[kind]
    return plural === undefined || name === '' ? [] : [{ plural, name, clusterRole }]
  })
}

/** The rule for every member of an object: read the object and its subresources. */
export function memberRule(
  { group, plural, subresources = [] }: ResourceDefinition,
  { metadata: { name = '' } }: ApiObject,
): PolicyRule {
  const read = subresources.filter(({ verbs }) => verbs.includes('get'))
  const below = read.map((subresource) => `${plural}/${subresource.name}`)
  return {
    verbs: ['get'],
    apiGroups: [group],
    resources: [plural, ...below],
    resourceNames: [name],
  }
}

/** The schema of a field of the spec. */
export function specField(schema: Schema, name: string): Schema | undefined {
  return schema.properties?.['spec']?.properties?.[name]
}
