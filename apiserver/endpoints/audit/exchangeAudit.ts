import type { Status } from '../../meta/status.ts'
import type { UserInfo } from '../../meta/types.ts'

/** Audit record of an exchange. Calls never fail and are not awaited. */
export interface ExchangeAudit {
  /** Records the authenticated user; undefined: none. False: the request is not audited. */
  received(user: UserInfo | undefined): boolean
  /** Records the decoded request body; copied here, since the caller may modify it. `bytes`: the length of the body. */
  requestObject(value: unknown, bytes: number): void
  /** Records the response. `make` returns it decoded, and is called after the response, if at all. */
  responseObject(make: () => unknown, bytes: number): void
  responseStatus(status: Status): void
  /** Records that the headers of a stream were sent. `code` is 101 over a websocket. */
  streamStarted(code: number): void
  /** Records that a server-side error stopped the request. */
  panicked(): void
  annotate(key: string, value: string): void
}
