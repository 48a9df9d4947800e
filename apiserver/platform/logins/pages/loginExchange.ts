import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Status } from '../../../meta/status.ts'

/** A request on its way through the server's filter chain, as logins see it. */
export interface LoginExchange {
  request: IncomingMessage
  response: ServerResponse
  /** Percent-decoded, without the query. */
  path: string
  /** Names the request in the audit log, and in the header `Audit-Id` of the answer. */
  auditId: string
  /** Bytes of the answer's body, for who counts them. */
  bodyBytes: number | undefined
  /** What is noted of the request; undefined: nothing is. Bodies of logins are told to nobody. */
  audit: LoginAudit | undefined
}

export interface LoginAudit {
  responseStatus(status: Status): void
  annotate(key: string, value: string): void
  /** An error that is not the client's. */
  panicked(): void
}
