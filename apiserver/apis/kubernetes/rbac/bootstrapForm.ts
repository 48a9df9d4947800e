import { rbacGroup, type PolicyRule } from '../../../authorization/rbac/policyRule.ts'
import type { ApiObject } from '../../../meta/types.ts'

/** ClusterRole created by the server, and the groups it is bound to. */
export interface BootstrapRole {
  name: string
  rules: PolicyRule[]
  labels?: Record<string, string>
  /** Label sets of an aggregated role: its rules are those of the ClusterRoles that match one of them. */
  aggregates?: Record<string, string>[]
  /** Groups bound by a ClusterRoleBinding of the same name; absent: not bound. */
  groups?: readonly string[]
}

/** Role created by the server, and the users it is bound to. */
export interface NamespaceBootstrapRole {
  namespace: string
  name: string
  rules: PolicyRule[]
  /** Users bound by a RoleBinding named `system::` followed by the role's name. */
  users: readonly string[]
}

const aggregationLabel = 'rbac.authorization.k8s.io/aggregate-to-'

export function aggregateTo(roles: readonly string[]): Record<string, string> {
  return Object.fromEntries(roles.map((role) => [`${aggregationLabel}${role}`, 'true']))
}

/** Role that aggregates the rules of all roles with its aggregation label. */
export function aggregatedRole(
  name: string,
  from: readonly string[],
  gives: readonly string[] = [],
): BootstrapRole {
  const aggregates = from.map((role) => aggregateTo([role]))
  return { name, rules: [], labels: aggregateTo(gives), aggregates }
}

const apiVersion = `${rbacGroup}/v1`

function metadataOf(name: string, labels: Record<string, string> = {}) {
  return {
    name,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { [autoUpdate]: 'true' },
  }
}

/** Annotation that prevents updates of the object at server start if its value is `false`. */
export const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate'

export function bootstrapClusterRole({
  name,
  rules,
  labels,
  aggregates,
}: BootstrapRole): ApiObject {
  const metadata = metadataOf(name, labels)
  const role = { kind: 'ClusterRole', apiVersion, metadata, rules }
  if (aggregates === undefined) return role
  const clusterRoleSelectors = aggregates.map((matchLabels) => ({ matchLabels }))
  return { ...role, aggregationRule: { clusterRoleSelectors } }
}

/** Binding of a role; undefined: not bound. */
export function bootstrapBinding({ name, groups }: BootstrapRole): ApiObject | undefined {
  if (groups === undefined) return undefined
  return {
    kind: 'ClusterRoleBinding',
    apiVersion,
    metadata: metadataOf(name),
    subjects: groups.map((group) => ({ kind: 'Group', apiGroup: rbacGroup, name: group })),
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name },
  }
}

export function bootstrapRole({ namespace, name, rules }: NamespaceBootstrapRole): ApiObject {
  return { kind: 'Role', apiVersion, metadata: { ...metadataOf(name), namespace }, rules }
}

export function bootstrapRoleBinding({
  namespace,
  name,
  users,
}: NamespaceBootstrapRole): ApiObject {
  return {
    kind: 'RoleBinding',
    apiVersion,
    metadata: { ...metadataOf(`system::${name}`), namespace },
    subjects: users.map((user) => ({ kind: 'User', apiGroup: rbacGroup, name: user })),
    roleRef: { apiGroup: rbacGroup, kind: 'Role', name },
  }
}
