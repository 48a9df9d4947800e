import type { Owner } from '../../authorization/ownership.ts'
import type { AccessEntry, RoleMember } from '../../authorization/rbac/accessEntry.ts'
import { jsonText } from '../../meta/json/exactJson.ts'
import type { ApiObject } from '../../meta/types.ts'

/** What checks read of the objects that are written. */

/** Users and groups of a team. */
export function membersOf(object: ApiObject): string[] {
  // The schema of a kind with members says that both are lists of names.
  const { users = [], groups = [] } = object['spec'] as { users?: string[]; groups?: string[] }
  return [...users.map((name) => `user ${name}`), ...groups.map((name) => `group ${name}`)]
}

/** The user and the team that an owner names. */
export function ownerNames({ user = '', team = '' }: Owner): ['users' | 'teams', string][] {
  return [
    ...(user === '' ? [] : [['users', user] as ['users', string]]),
    ...(team === '' ? [] : [['teams', team] as ['teams', string]]),
  ]
}

/** What an entry gives, without its label. Objects are canonical, so equal entries have equal text. */
export function entryText({ name: _label, ...entry }: AccessEntry): string {
  return JSON.stringify(entry)
}

export function memberText({ plural, name, clusterRole }: RoleMember): string {
  return JSON.stringify([plural, name, clusterRole])
}

/** The groups that a User or a key gives. */
export function groupsOf(object: ApiObject): string[] {
  // The schema of the kinds says that both are lists of texts, where there are any.
  const spec = object['spec'] as { groups?: string[]; ssoGroups?: string[] } | undefined
  return [...(spec?.groups ?? []), ...(spec?.ssoGroups ?? [])]
}

/** Whether a field of the spec stays. Objects are canonical, so equal values have equal text. */
export function isSameField(next: ApiObject, old: ApiObject | undefined, field: string): boolean {
  return jsonText([fieldOf(next, field)]) === jsonText([old && fieldOf(old, field)])
}

function fieldOf(object: ApiObject, field: string): unknown {
  // The schema of the kinds says that a spec is an object.
  return (object['spec'] as Record<string, unknown> | undefined)?.[field]
}
