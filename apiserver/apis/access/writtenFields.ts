import type { Owner } from '../../authorization/ownerRule.ts'
import type { AccessEntry, RoleMember } from '../../authorization/rbac/accessEntry.ts'
import { jsonText } from '../../meta/json/exactJson.ts'
import type { ApiObject } from '../../meta/types.ts'

/** Accessors for fields of written objects, used by the checks. */

/** Users and groups of a team. */
export function membersOf(object: ApiObject): string[] {
  // Guaranteed by the schema of kinds with members.
  const { users = [], groups = [] } = object['spec'] as { users?: string[]; groups?: string[] }
  return [...users.map((name) => `user ${name}`), ...groups.map((name) => `group ${name}`)]
}

/** The user and the team in an owner. */
export function ownerNames({ user = '', team = '' }: Owner): ['users' | 'teams', string][] {
  return [
    ...(user === '' ? [] : [['users', user] as ['users', string]]),
    ...(team === '' ? [] : [['teams', team] as ['teams', string]]),
  ]
}

/**
 * The rights of an entry as a string, without its label. Objects are canonical, so equal entries have equal strings.
 */
export function entryKey({ name: _label, ...entry }: AccessEntry): string {
  return JSON.stringify(entry)
}

export function memberKey({ plural, name, clusterRole }: RoleMember): string {
  return JSON.stringify([plural, name, clusterRole])
}

/** The groups assigned by a User or a key. */
export function groupsOf(object: ApiObject): string[] {
  // Guaranteed by the schema of the kinds.
  const spec = object['spec'] as { groups?: string[]; ssoGroups?: string[] } | undefined
  return [...(spec?.groups ?? []), ...(spec?.ssoGroups ?? [])]
}

/** Reports whether a field of the spec is unchanged. Objects are canonical, so equal values have equal JSON. */
export function isSameField(next: ApiObject, old: ApiObject | undefined, field: string): boolean {
  return jsonText([fieldOf(next, field)]) === jsonText([old && fieldOf(old, field)])
}

function fieldOf(object: ApiObject, field: string): unknown {
  // Guaranteed by the schema of the kinds.
  return (object['spec'] as Record<string, unknown> | undefined)?.[field]
}
