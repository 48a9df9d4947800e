import { memberRule, roleMembersOf, type RoleMember } from '../authorization/rbac/accessEntry.ts'
import { rbacGroup } from '../authorization/rbac/policyRule.ts'
import type { ApiObject } from '../meta/types.ts'
import {
  groupSubjects,
  createdMetadata,
  type AccessNames,
  type AccessSource,
  type RightsGiving,
  type WantedObject,
} from './accessObjects.ts'

export interface MemberNames extends Pick<AccessNames, 'platform' | 'domain' | 'groups'> {
  /** Namespace in which the members of an object have their roles; undefined: it currently does not exist. */
  namespaceOf: (name: string) => string | undefined
}

const apiVersion = `${rbacGroup}/v1`

/**
 * Rights of the members of an object: their cluster roles in its namespace, and read access to the
 * object.
 */
export function memberGiving(names: MemberNames): RightsGiving {
  return {
    fields: ['members'],
    objects: (source) => memberObjects(source, names),
    sourceOf: (key) => {
      const own = key.startsWith(`${names.platform}:`) ? key : key.slice(key.indexOf('/') + 1)
      const [first, what, plural, name] = own.split(':')
      return first === names.platform && what === 'member' && name
        ? `${plural}||${name}`
        : undefined
    },
  }
}

function memberObjects(source: AccessSource, names: MemberNames): WantedObject[] {
  const { object } = source
  const members = roleMembersOf(object)
  // An object that is being deleted loses its roles and bindings, and they are not created again.
  if (members.length === 0 || object.metadata.deletionTimestamp !== undefined) return []
  return [...readObjects(source, members, names), ...roleBindings(source, members, names)]
}

function readObjects(
  source: AccessSource,
  members: readonly RoleMember[],
  names: MemberNames,
): WantedObject[] {
  const { resource, object } = source
  const name = madeName(source, names)
  const metadata = createdMetadata(name, source, names)
  const rules = [memberRule(resource, object)]
  const roleRef = { apiGroup: rbacGroup, kind: 'ClusterRole', name }
  const subjects = subjectsOf(members, names)
  const role: ApiObject = { kind: 'ClusterRole', apiVersion, metadata, rules }
  const binding = { kind: 'ClusterRoleBinding', apiVersion, metadata, subjects, roleRef }
  return [
    { store: 'clusterRoles', object: role },
    { store: 'clusterRoleBindings', object: binding },
  ]
}

/** Bindings, one for each cluster role, with all members that have the role. */
function roleBindings(
  source: AccessSource,
  members: readonly RoleMember[],
  names: MemberNames,
): WantedObject[] {
  const namespace = names.namespaceOf(source.object.metadata.name ?? '')
  if (namespace === undefined) return []
  const roles = new Set(members.flatMap(({ clusterRole: role }) => (role === '' ? [] : [role])))
  return [...roles].map((role) => {
    const made = createdMetadata(`${madeName(source, names)}:${role}`, source, names)
    const metadata = { ...made, namespace }
    const roleRef = { apiGroup: rbacGroup, kind: 'ClusterRole', name: role }
    const having = members.filter(({ clusterRole }) => clusterRole === role)
    const subjects = subjectsOf(having, names)
    const binding = { kind: 'RoleBinding', apiVersion, metadata, subjects, roleRef }
    return { store: 'roleBindings', object: binding }
  })
}

function madeName({ resource, object }: AccessSource, { platform }: MemberNames): string {
  return `${platform}:member:${resource.plural}:${object.metadata.name ?? ''}`
}

function subjectsOf(members: readonly RoleMember[], { groups }: MemberNames) {
  const groupOf = ({ plural, name }: RoleMember) =>
    plural === 'users' ? groups.user(name) : groups.team(name)
  return groupSubjects(members.map(groupOf))
}
