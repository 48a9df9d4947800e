import type { AuditLevel, AuditStage } from './auditSettings.ts'

/** A line of the audit log. Source: Kubernetes API reference, audit.k8s.io/v1 Event. */
export interface AuditEvent {
  kind: 'Event'
  apiVersion: 'audit.k8s.io/v1'
  level: AuditLevel
  auditID: string
  stage: AuditStage
  requestURI: string
  verb: string
  user: AuditUser
  impersonatedUser?: AuditUser
  sourceIPs?: readonly string[]
  userAgent?: string
  objectRef?: AuditObjectReference
  responseStatus?: AuditResponseStatus
  requestObject?: unknown
  responseObject?: unknown
  /** RFC 3339 in UTC with microseconds, like stageTimestamp. */
  requestReceivedTimestamp: string
  stageTimestamp: string
  annotations?: Readonly<Record<string, string>>
}

export interface AuditUser {
  username?: string
  uid?: string
  groups?: readonly string[]
  extra?: Readonly<Record<string, readonly string[]>>
}

/** Target of a request. Empty fields are omitted. */
export interface AuditObjectReference {
  resource?: string
  namespace?: string
  name?: string
  uid?: string
  apiGroup?: string
  apiVersion?: string
  resourceVersion?: string
  subresource?: string
}

export interface AuditResponseStatus {
  metadata: Record<string, never>
  status?: string
  message?: string
  reason?: string
  details?: unknown
  code?: number
}

/**
 * Formats a `metav1.MicroTime`. The clock has a precision of milliseconds, so the last three digits
 * are 0.
 */
export function microTime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, -1) + '000Z'
}
