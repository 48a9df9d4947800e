import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Status } from '../../../meta/status.ts'
import type { UserInfo } from '../../../meta/types.ts'

/** A login request on its way through the server's filter chain. */
export interface LoginExchange {
  request: IncomingMessage
  response: ServerResponse
  /** Anonymous without a valid credential. */
  user: Pick<UserInfo, 'groups'>
  /** Percent-decoded, without the query. */
  path: string
  /** Identifies the request in the audit log, and in the header `Audit-Id` of the response. */
  auditId: string
  /** Size of the response body, for metrics. */
  bodyBytes: number | undefined
  /** The audit record of the request; undefined: not audited. Bodies of logins are never recorded. */
  audit: LoginAudit | undefined
}

export interface LoginAudit {
  responseStatus(status: Status): void
  annotate(key: string, value: string): void
  /** Records an error that is not the client's. */
  panicked(): void
}
