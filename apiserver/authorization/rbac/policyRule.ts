import type { ApiObject } from '../../meta/types.ts'

/** The API group of roles and bindings. */
export const rbacGroup = 'rbac.authorization.k8s.io'

/**
 * A rule of a role, as stored. An absent list is empty. Source: Kubernetes API reference,
 * PolicyRule v1.
 */
export interface PolicyRule {
  verbs: string[]
  apiGroups?: string[]
  resources?: string[]
  /** Names of objects; empty: all names. */
  resourceNames?: string[]
  nonResourceURLs?: string[]
}

export interface RoleRef {
  apiGroup: string
  kind: string
  name: string
}

export interface Subject {
  kind: string
  apiGroup?: string
  name: string
  namespace?: string
}

/** The rules of a Role or ClusterRole. */
export function rulesOf(role: ApiObject): PolicyRule[] {
  // Guaranteed by the schema; a role without rules stores null.
  return (role['rules'] as PolicyRule[] | null | undefined) ?? []
}

export function subjectsOf(binding: ApiObject): Subject[] {
  // Guaranteed by the schema.
  return (binding['subjects'] as Subject[] | undefined) ?? []
}

export function roleRefOf(binding: ApiObject): RoleRef {
  // Required by the schema.
  return binding['roleRef'] as RoleRef
}
