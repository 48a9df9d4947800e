import type { IncomingMessage } from 'node:http'
import type { Clock } from '../meta/clock.ts'
import type { ProtobufCodec } from '../encoding/protobuf/protobufCodec.ts'
import type { UserInfo } from '../meta/types.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import type { FilterTallies } from './filterTallies.ts'
import { UnreadAnswers } from './response/unreadResponses.ts'

/** What the filters need beside the exchange. */
export interface ChainServices {
  /** The protobuf form of the built-in kinds. */
  protobuf: ProtobufCodec
  /** Whether a page of this origin may call; undefined: no origins are set. */
  allowsOrigin: ((origin: string) => boolean) | undefined
  clock: Clock
  authenticator: Authenticator
  /** Takes out of a request what a front proxy alone may say, once it was looked at. Absent: it stays. */
  clearRemoteHeaders?: (request: IncomingMessage) => void
  /** Whether `/version` is for authenticated users alone. */
  authenticatesVersion: () => boolean
  limits: InFlightLimits
  tallies: FilterTallies
  /** Where requests are noted; undefined: nowhere. */
  audit?: AuditLog | undefined
  /** The server lets running requests end, and wants no new ones. */
  isStopping: () => boolean
  /** Told of errors that are nobody's request: bugs. */
  report: (error: unknown) => void
}

/** Finds who a bearer token stands for; undefined: nobody. */
export interface Authenticator {
  authenticate(token: string): UserInfo | undefined | Promise<UserInfo | undefined>
  /** Who the connection of a request stands for, whatever token comes with it: by a client certificate, or by the word
   *  of a front proxy. 'refused': nobody, and without a good token the request is nobody's. Absent: nobody.
   *  @param isForeignPage a browser asks for a page of another host: only the word of a front proxy counts. */
  authenticatePeer?(
    request: IncomingMessage,
    isForeignPage: boolean,
  ): UserInfo | 'refused' | undefined
  /** Who the connection of a request without a token stands for: by its client certificate. Absent: nobody. */
  authenticateConnection?(request: IncomingMessage): UserInfo | undefined
  /** What is said to who shows a token of nobody. Default: the API's own word. */
  refusal?: string
  /** Calls `callback` once, when what `user` showed is no longer taken; at once, where it is not already. Gives the
   *  function that takes it back. Absent: nothing is ever revoked. */
  onRevoked?(user: UserInfo, callback: () => void): () => void
  /** Whether what `user` showed still stands for a user with the same groups and scope. Absent: it always does. */
  isSame?(user: UserInfo): boolean
}

/** How many requests run at once, and how many may. Watches do not count. */
export interface InFlightLimits {
  maxReadOnly: number
  maxMutating: number
  readOnly: number
  mutating: number
  /** The same by whom they are of, of users with any. */
  byUser: Readonly<Record<'readOnly' | 'mutating', Map<string, number>>>
  unread: UnreadAnswers
}

/** What may wait for readers. */
const maxUnreadBytes = 256 * 1024 * 1024

export function inFlightLimits(maxReadOnly: number, maxMutating: number): InFlightLimits {
  const byUser = { readOnly: new Map<string, number>(), mutating: new Map<string, number>() }
  const unread = new UnreadAnswers(maxUnreadBytes)
  return { maxReadOnly, maxMutating, readOnly: 0, mutating: 0, byUser, unread }
}
