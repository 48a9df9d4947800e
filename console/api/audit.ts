/** Path of the audit event search, for users with the right to `get` it. */
export const auditPath = '/audit/events'

/**
 * Group and plural of the right to `list`, which the search requires in addition to the right to
 * its path.
 */
export const auditKind = { group: 'audit.k8s.io', plural: 'events' }

/** Audit event, limited to the fields shown. Source: Kubernetes API reference, audit.k8s.io/v1 Event. */
export interface AuditEvent {
  auditID: string
  stage: string
  verb: string
  requestURI: string
  stageTimestamp: string
  user?: { username?: string }
  impersonatedUser?: { username?: string }
  sourceIPs?: readonly string[]
  objectRef?: Partial<
    Record<'apiGroup' | 'resource' | 'subresource' | 'namespace' | 'name', string>
  >
  responseStatus?: { code?: number }
}

export interface AuditEvents {
  items: readonly AuditEvent[]
  /** Token for `continue`, which leads to older events; absent: there are none. */
  metadata: { continue?: string }
}
