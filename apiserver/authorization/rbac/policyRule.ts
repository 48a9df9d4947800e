import type { ApiObject } from '../../meta/types.ts'

/** The API group of roles and bindings. */
export const rbacGroup = 'rbac.authorization.k8s.io'

/** What a role allows, as stored. Lists that are absent are empty. Source: Kubernetes API reference, PolicyRule v1. */
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
  // The schema of the kinds says what rules are; a role without any stores null.
  return (role['rules'] as PolicyRule[] | null | undefined) ?? []
}

export function subjectsOf(binding: ApiObject): Subject[] {
  // The schema of the kinds says what subjects are.
  return (binding['subjects'] as Subject[] | undefined) ?? []
}

export function roleRefOf(binding: ApiObject): RoleRef {
  // The schema of the kinds requires it.
  return binding['roleRef'] as RoleRef
}
