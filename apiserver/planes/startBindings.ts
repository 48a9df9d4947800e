import { identityGroups } from '../authorization/superusers.ts'
import { isObject } from '../meta/json/isObject.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { ApiObject, UserInfo } from '../meta/types.ts'

/** The roles that those who come in from the platform are bound to from the start. */
export const entrantRoles: readonly string[] = ['cluster-admin', 'admin', 'edit', 'view']
const defaultRole = 'cluster-admin'

/** The group, in a plane, of those to whom the platform gives a cluster role there. */
export function entrantGroup(names: NamesProfile, role: string): string {
  return `${groupPrefix(names)}${role}`
}

function groupPrefix({ platform }: NamesProfile): string {
  return `${platform}:entrant:`
}

/** The user as a plane sees them: with the group of the cluster role that the platform gives them there, and of no
 *  other. */
export function entrant(user: UserInfo, role: string, names: NamesProfile): UserInfo {
  const prefix = groupPrefix(names)
  const own = user.groups.filter((group) => !group.startsWith(prefix))
  return { ...user, groups: [...own, entrantGroup(names, role)] }
}

interface AccessRule {
  users?: string[]
  teams?: string[]
  clusterRole?: string
}

/** The cluster role that an instance gives a user inside: that of the first of its rules that matches, then its
 *  template's, then the template's default; administrator where nothing says otherwise.
 *  Source: platform facts 3.3 (`extraAccessRules`). */
export function roleWithin(
  instance: ApiObject,
  user: Pick<UserInfo, 'groups'>,
  names: NamesProfile,
): string {
  return givenRole(instance, user, { names, rendered: 'virtualCluster' }) ?? defaultRole
}

/** The same of a space: administrator of the namespace where nothing says otherwise. */
export function spaceRole(
  instance: ApiObject,
  user: Pick<UserInfo, 'groups'>,
  names: NamesProfile,
): string {
  return givenRole(instance, user, { names, rendered: 'space' }) ?? 'admin'
}

/** `rendered` is the field of the status that has the template in use. */
function givenRole(
  instance: ApiObject,
  { groups }: Pick<UserInfo, 'groups'>,
  { names, rendered }: { names: NamesProfile; rendered: string },
): string | undefined {
  // The schema of the kind says what its access rules hold; a template may hold more than is known of it.
  const spec = instance['spec'] as { extraAccessRules?: AccessRule[] } | undefined
  const { rules, defaultClusterRole } = templateAccess(instance, rendered)
  const own = identityGroups(names)
  const matches = ({ users = [], teams = [] }: AccessRule) =>
    users.some((name) => groups.includes(own.user(name))) ||
    teams.some((name) => groups.includes(own.team(name)))
  const rule = [...(spec?.extraAccessRules ?? []), ...rules].find(matches)
  return given(rule?.clusterRole) ?? given(defaultClusterRole)
}

function templateAccess(
  instance: ApiObject,
  rendered: string,
): { rules: AccessRule[]; defaultClusterRole: unknown } {
  const template = part(instance['status'], rendered)
  const access = part(template, 'access')
  const rules = isObject(access) && Array.isArray(access['rules']) ? access['rules'] : []
  const isRule = (rule: unknown): rule is AccessRule =>
    isObject(rule) && [rule['users'] ?? [], rule['teams'] ?? []].every(Array.isArray)
  return { rules: rules.filter(isRule), defaultClusterRole: part(access, 'defaultClusterRole') }
}

function part(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}

function given(role: unknown): string | undefined {
  return typeof role === 'string' && role !== '' ? role : undefined
}
