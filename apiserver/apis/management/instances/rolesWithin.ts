import { identityGroups } from '../../../authorization/superusers.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject, UserInfo } from '../../../meta/types.ts'
import { memberAt } from './instanceParts.ts'

/** Default role in a plane, for users that no rule matches. */
export const defaultRole = 'cluster-admin'

interface AccessRule {
  users?: string[]
  teams?: string[]
  clusterRole?: string
}

/**
 * The cluster role that an instance grants a user within its plane: that of the first matching rule
 * of the instance, then of its template, then the template's default, and otherwise administrator.
 * Source: platform facts 3.3 (`extraAccessRules`).
 */
export function roleWithin(
  instance: ApiObject,
  user: Pick<UserInfo, 'groups'>,
  names: NamesProfile,
): string {
  return givenRole(instance, user, { names, rendered: 'virtualCluster' }) ?? defaultRole
}

/** The role that a space grants a user; the default is administrator of the namespace. */
export function spaceRole(
  instance: ApiObject,
  user: Pick<UserInfo, 'groups'>,
  names: NamesProfile,
): string {
  return givenRole(instance, user, { names, rendered: 'space' }) ?? 'admin'
}

/** The role granted by rules. `rendered` is the field of the status with the rendered template. */
function givenRole(
  instance: ApiObject,
  { groups }: Pick<UserInfo, 'groups'>,
  { names, rendered }: { names: NamesProfile; rendered: string },
): string | undefined {
  // Guaranteed by the schema of the kind; a template may contain unknown fields.
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
  const template = memberAt(instance['status'], rendered)
  const access = memberAt(template, 'access')
  const rules = isObject(access) && Array.isArray(access['rules']) ? access['rules'] : []
  const isRule = (rule: unknown): rule is AccessRule =>
    isObject(rule) && [rule['users'] ?? [], rule['teams'] ?? []].every(Array.isArray)
  return { rules: rules.filter(isRule), defaultClusterRole: memberAt(access, 'defaultClusterRole') }
}

function given(role: unknown): string | undefined {
  return typeof role === 'string' && role !== '' ? role : undefined
}
