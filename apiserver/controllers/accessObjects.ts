import { createHash } from 'node:crypto'
import {
  accessGroups,
  accessOf,
  accessRule,
  clusterRolesOf,
} from '../authorization/rbac/accessEntry.ts'
import { rbacGroup } from '../authorization/rbac/policyRule.ts'
import type { RbacStores } from '../authorization/rbac/rbacIndex.ts'
import type { IdentityGroups } from '../authorization/superusers.ts'
import { groupVersionString, type ApiObject, type ObjectMeta } from '../meta/types.ts'
import type { ResourceDefinition } from '../registry/resource.ts'

/** Names and labels for created objects. */
export interface AccessNames {
  platform: string
  domain: string
  groups: IdentityGroups
  /** Group of a user or a team, by the plural of the kind. */
  identities: Readonly<Record<string, (name: string) => string>>
}

/** An object that grants rights. */
export interface AccessSource {
  resource: ResourceDefinition
  object: ApiObject
}

export interface WantedObject {
  store: keyof RbacStores
  object: ApiObject
}

const apiVersion = `${rbacGroup}/v1`
const digits = 10

/** Rights that fields of objects grant. */
export interface RightsGiving {
  /** Fields of the spec, which are all lists. An object without any of them grants nothing. */
  fields: readonly string[]
  /** The roles and bindings for an object, in any order. */
  objects(source: AccessSource): WantedObject[]
  /**
   * The source of a role or binding, as `plural|namespace|name`; undefined: none. `key` is
   * `namespace/name`, or only the name.
   */
  sourceOf(key: string): string | undefined
}

/**
 * Rights that access entries, and cluster roles of users and teams, grant. The role of an entry is
 * named after its rules, so that changing an entry never changes a role that others are bound to.
 */
export function accessGiving(names: AccessNames): RightsGiving {
  return {
    fields: ['access', 'clusterRoles'],
    objects: (source) => accessObjects(source, names),
    sourceOf: (key) => sourceOf(key, names),
  }
}

function accessObjects(source: AccessSource, names: AccessNames): WantedObject[] {
  return [...entryObjects(source, names), ...clusterRoleBindings(source, names)]
}

function sourceOf(key: string, { platform }: AccessNames): string | undefined {
  const slash = key.startsWith(`${platform}:`) ? -1 : key.indexOf('/')
  const [first, kind, plural, object] = key.slice(slash + 1).split(':')
  if (first !== platform || (kind !== 'access' && kind !== 'clusterrole')) return undefined
  return object && `${plural}|${slash < 0 ? '' : key.slice(0, slash)}|${object}`
}

function entryObjects(source: AccessSource, names: AccessNames): WantedObject[] {
  const { resource, object } = source
  const [role, binding, roleStore, bindingStore] = resource.namespaced
    ? (['Role', 'RoleBinding', 'roles', 'roleBindings'] as const)
    : (['ClusterRole', 'ClusterRoleBinding', 'clusterRoles', 'clusterRoleBindings'] as const)
  return givenRules(source, names).flatMap(({ rule, groups }) => {
    const digest = createHash('sha256').update(JSON.stringify(rule)).digest('hex').slice(0, digits)
    const { plural } = resource
    const name = `${names.platform}:access:${plural}:${object.metadata.name ?? ''}:${digest}`
    const metadata = createdMetadata(name, source, names)
    const roleRef = { apiGroup: rbacGroup, kind: role, name }
    const subjects = groupSubjects(groups)
    const objects: WantedObject[] = [
      { store: roleStore, object: { kind: role, apiVersion, metadata, rules: [rule] } },
      { store: bindingStore, object: { kind: binding, apiVersion, metadata, subjects, roleRef } },
    ]
    return objects
  })
}

/** Merges entries with the same rules. */
function givenRules({ resource, object }: AccessSource, { groups }: AccessNames) {
  const given = new Map<string, { rule: ReturnType<typeof accessRule>; groups: string[] }>()
  for (const entry of accessOf(object)) {
    const rule = accessRule(resource, object, entry)
    const key = JSON.stringify(rule)
    const before = given.get(key)?.groups ?? []
    given.set(key, { rule, groups: [...before, ...accessGroups(entry, groups)] })
  }
  return [...given.values()].filter((one) => one.groups.length > 0)
}

function clusterRoleBindings(source: AccessSource, names: AccessNames): WantedObject[] {
  const { resource, object } = source
  const { plural } = resource
  const identity = names.identities[plural]
  if (identity === undefined) return []
  const { name = '' } = object.metadata
  return [...new Set(clusterRolesOf(object))].map((role) => {
    const metadata = createdMetadata(
      `${names.platform}:clusterrole:${plural}:${name}:${role}`,
      source,
      names,
    )
    const roleRef = { apiGroup: rbacGroup, kind: 'ClusterRole', name: role }
    const subjects = groupSubjects([identity(name)])
    const binding = { kind: 'ClusterRoleBinding', apiVersion, metadata, subjects, roleRef }
    return { store: 'clusterRoleBindings', object: binding }
  })
}

/** Subjects without duplicates. */
export function groupSubjects(groups: readonly string[]) {
  const names = [...new Set(groups)].sort()
  return names.map((name) => ({ kind: 'Group', apiGroup: rbacGroup, name }))
}

/**
 * Metadata with the object as the owner, so that garbage collection also removes the created
 * object.
 */
export function createdMetadata(
  name: string,
  { resource, object }: AccessSource,
  { domain }: Pick<AccessNames, 'domain'>,
): ObjectMeta {
  const { name: ownerName = '', uid = '', namespace } = object.metadata
  const apiVersionOfOwner = groupVersionString(resource)
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    labels: { [`${domain}/access`]: resource.plural },
    ownerReferences: [
      {
        apiVersion: apiVersionOfOwner,
        kind: resource.kind,
        name: ownerName,
        uid,
        controller: true,
      },
    ],
  }
}
