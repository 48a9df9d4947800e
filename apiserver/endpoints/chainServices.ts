import type { IncomingMessage } from 'node:http'
import type { Clock } from '../meta/clock.ts'
import type { ProtobufCodec } from '../encoding/protobuf/protobufCodec.ts'
import type { UserInfo } from '../meta/types.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import type { FilterTallies } from './filterTallies.ts'
import { UserFairness } from './body/userFairness.ts'
import { TurnEnd } from './response/turnEnd.ts'
import { UnreadAnswers } from './response/unreadResponses.ts'

/** Services used by the filters. */
export interface ChainServices {
  /** The protobuf form of built-in kinds. */
  protobuf: ProtobufCodec
  /** Reports whether pages of this origin are allowed; undefined: no origins are configured. */
  allowsOrigin: ((origin: string) => boolean) | undefined
  clock: Clock
  authenticator: Authenticator
  /** Warning for this user about the credential in use. Absent: no warnings. */
  keyWarning?: ((user: UserInfo) => string | undefined) | undefined
  /**
   * Removes headers that only a front proxy may send, after they were read. Absent: they are kept.
   */
  clearRemoteHeaders?: (request: IncomingMessage) => void
  /** Reports whether `/version` requires authentication. */
  authenticatesVersion: () => boolean
  limits: InFlightLimits
  tallies: FilterTallies
  /** The audit log; undefined: auditing is unavailable. */
  audit?: AuditLog | undefined
  /** Reports whether the server is shutting down: running requests end, new ones are refused. */
  isStopping: () => boolean
  /** Called with errors outside of requests: bugs. */
  report: (error: unknown) => void
}

/** Authenticates a bearer token; undefined: invalid. */
export interface Authenticator {
  authenticate(token: string): UserInfo | undefined | Promise<UserInfo | undefined>
  /**
   * Authenticates the connection of a request, independent of its token: by a client certificate, or by a front proxy's
   * headers. 'refused': invalid, so that without a valid token the request is anonymous. Absent: disabled.
   * @param isForeignPage true if a browser sent the request for a page of another host: then only a front proxy is
   * trusted.
   */
  authenticatePeer?(
    request: IncomingMessage,
    isForeignPage: boolean,
  ): UserInfo | 'refused' | undefined
  /** Authenticates the connection of a request without a token, by its client certificate. Absent: disabled. */
  authenticateConnection?(request: IncomingMessage): UserInfo | undefined
  /** The message for an invalid token. Default: the API's own. */
  refusal?: string
  /**
   * Calls `callback` once, when the credential of `user` is revoked; immediately if it already is. Returns a function
   * that unsubscribes. Absent: credentials are never revoked.
   */
  onRevoked?(user: UserInfo, callback: () => void): () => void
  /**
   * Reports whether the credential of `user` still authenticates a user with the same groups and scope. Absent:
   * always.
   */
  isSame?(user: UserInfo): boolean
}

/** Current and maximum numbers of concurrent requests. Watches do not count. */
export interface InFlightLimits {
  maxReadOnly: number
  maxMutating: number
  readOnly: number
  mutating: number
  /** Current numbers by user, for users with any. */
  byUser: Readonly<Record<'readOnly' | 'mutating', Map<string, number>>>
  unread: UnreadAnswers
  /** Turns of large work. */
  fairness: UserFairness
  turnEnd: TurnEnd
}

/** Maximum bytes of unread responses. */
const maxUnreadBytes = 256 * 1024 * 1024

export function inFlightLimits(maxReadOnly: number, maxMutating: number): InFlightLimits {
  const byUser = { readOnly: new Map<string, number>(), mutating: new Map<string, number>() }
  const unread = new UnreadAnswers(maxUnreadBytes)
  const turns = { fairness: new UserFairness(), turnEnd: new TurnEnd() }
  return { maxReadOnly, maxMutating, readOnly: 0, mutating: 0, byUser, unread, ...turns }
}
