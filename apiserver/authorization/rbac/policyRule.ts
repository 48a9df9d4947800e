import type { ApiObject } from '../../meta/types.ts'

/** The API group of roles and bindings. */
export const rbacGroup = 'rbac.authorization.k8s.io'

/** A rule of a role, as stored. Absent lists are empty. Source: Kubernetes API reference, PolicyRule v1. */
export interface PolicyRule {
  verbs: string[]
  apiGroups?: string[]
  resources?: string[]
  /** Empty: every name. */
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
  // Sound by the schema; a role without rules stores null.
  return (role['rules'] as PolicyRule[] | null | undefined) ?? []
}

export function subjectsOf(binding: ApiObject): Subject[] {
  // Sound by the schema.
  return (binding['subjects'] as Subject[] | undefined) ?? []
}

export function roleRefOf(binding: ApiObject): RoleRef {
  // Sound: the schema requires it.
  return binding['roleRef'] as RoleRef
}
