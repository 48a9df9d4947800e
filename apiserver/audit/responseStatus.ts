import type { Status } from '../meta/status.ts'
import type { AuditResponseStatus } from './auditEvent.ts'
import { redacted } from './redaction.ts'

/**
 * Outcome of a request. `code` undefined: the connection closed before a response was sent.
 * `mayTell` false: omits the error message, which may repeat a secret of the body.
 * Source: Kubernetes API reference, audit.k8s.io/v1 Event, responseStatus.
 */
export function responseStatus(
  code: number | undefined,
  status: Status | undefined,
  mayTell: boolean,
): AuditResponseStatus {
  if (code === undefined) {
    return { metadata: {}, status: 'Failure', message: 'Connection closed early' }
  }
  if (status === undefined) return { metadata: {}, code }
  const shown = mayTell || !repeatsBody.has(code) ? status : withoutWords(status)
  const { message, reason, details } = shown
  return {
    metadata: {},
    status: status.status,
    ...(message === undefined ? {} : { message }),
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  }
}

/** Codes of errors that may repeat the body: BadRequest, Invalid and unexpected errors. */
const repeatsBody = new Set([400, 422, 500])

function withoutWords({ details, ...status }: Status): Status {
  const { causes, ...rest } = details ?? {}
  const shown = causes?.map(({ reason, field }) => ({
    ...(reason === undefined ? {} : { reason }),
    ...(field === undefined ? {} : { field: field.replace(/\[.*$/s, '') }),
  }))
  return {
    ...status,
    message: redacted,
    ...(details === undefined
      ? {}
      : { details: { ...rest, ...(shown === undefined ? {} : { causes: shown }) } }),
  }
}
