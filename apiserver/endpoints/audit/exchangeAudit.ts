import type { Status } from '../../meta/status.ts'
import type { UserInfo } from '../../meta/types.ts'

/** What the parts of the chain tell of an exchange that may be noted in the audit log. None of it is awaited, and none
 *  of it fails. */
export interface ExchangeAudit {
  /** Who it is is known; undefined: nobody. False: the request is not noted. */
  received(user: UserInfo | undefined): boolean
  /** What was sent, decoded; copied here, as the caller may change it. `bytes`: the length of the body. */
  requestObject(value: unknown, bytes: number): void
  /** What is answered. `make` gives it, decoded, and is called after the answer, if at all. */
  responseObject(make: () => unknown, bytes: number): void
  /** A Status is answered. */
  responseStatus(status: Status): void
  /** The headers of a stream are out. `code` is 101 over a websocket. */
  streamStarted(code: number): void
  /** An error that is not the client's stopped the request. */
  panicked(): void
  annotate(key: string, value: string): void
}
