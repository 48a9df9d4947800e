/** Binding named in an authorization reason. */
export interface Grant {
  bindingKind: string
  binding: string
  /** Namespace; empty: the binding applies to all namespaces. */
  namespace: string
  roleKind: string
  role: string
  subjectKind: string
  subject: string
}

/**
 * Parses the reason of an allowed request; undefined: not allowed by a role. Source: Kubernetes API, RBAC authorizer.
 */
export function grantIn(reason: string): Grant | undefined {
  const found =
    /(?<bindingKind>ClusterRoleBinding|RoleBinding) "(?<place>[^"]*)" of (?<roleKind>ClusterRole|Role) "(?<role>[^"]*)" to (?<subjectKind>\w+) "(?<subject>[^"]*)"/.exec(
      reason,
    )?.groups
  if (found === undefined) return undefined
  // Sound: every group participates in the match.
  const { place, ...named } = found as unknown as Omit<Grant, 'binding' | 'namespace'> & {
    place: string
  }
  const slash = named.bindingKind === 'RoleBinding' ? place.lastIndexOf('/') : -1
  if (slash < 0) return { ...named, binding: place, namespace: '' }
  return { ...named, binding: place.slice(0, slash), namespace: place.slice(slash + 1) }
}

/** Explanation for a request that is allowed without a role. */
export function otherGround(reason: string): string {
  if (reason === '') return 'Superusers may do everything; no role is needed.'
  if (reason === 'allowed by ownership')
    return 'The object belongs to this account, to one of its teams, or to a project that it is a member of.'
  return `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`
}
