import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestTarget } from '../audit/auditSettings.ts'
import type { UserInfo } from '../meta/types.ts'
import type { AdmissionControl } from '../registry/admission.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import type { Shows, View } from '../registry/read/visibility.ts'
import type { Store } from '../registry/store.ts'
import type { RequestContext } from '../registry/strategy.ts'
import type { ProtobufCodec } from '../encoding/protobuf/protobufCodec.ts'
import type { Framing, Sink } from '../watch/sink.ts'
import type { Authorizer } from '../authorization/authorizer.ts'
import { callerTurns } from './body/userFairness.ts'
import type { Authenticator } from './chainServices.ts'
import type { ExchangeAudit } from './audit/exchangeAudit.ts'
import type { RequestInfo } from './requestInfo.ts'
import type { UnreadAnswers } from './response/unreadResponses.ts'

/** Completes a websocket's handshake; the sink takes frames that end as said. */
export type OpenWebSocket = (framing: Framing) => Promise<Sink>

/** One request and its answer on their way through the filter chain. An upgrade to a websocket is an exchange too: its
 *  `response` writes to the socket, until `openWebSocket` takes it. */
export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  method: string
  plane: Plane
  /** The path below the plane's prefix, percent-decoded, without the query. */
  path: string
  query: URLSearchParams
  info: RequestInfo
  auditId: string
  startedMs: number
  /** Anonymous until authentication has said who it is. */
  user: UserInfo
  warnings: Set<string>
  /** The request is a list or watch, and holds the objects alone that this says; undefined: all of them. */
  shows: Shows | undefined
  /** The request is a watch of those objects: makes what it shows of them. */
  view: (() => View) | undefined
  /** What the request is about, once routing has found it. */
  resource: ResourceDefinition | undefined
  /** The kind of its bodies: that of the resource, or of a subresource that speaks another. */
  bodyKind: ResourceDefinition | undefined
  /** Bytes of the answer's body; undefined: not known before it ends, or not begun. */
  bodyBytes: number | undefined
  /** The server answered in the place of the handler: it had too much to do, or the time was over. */
  gaveUp: 'busy' | 'late' | undefined
  /** The body, decoded; undefined: none was read. */
  sentBody: unknown
  /** What is noted of the exchange; undefined: nothing is. */
  audit: ExchangeAudit | undefined
  protobuf: ProtobufCodec
  /** Where large answers are counted until they were read. */
  unread: UnreadAnswers
  /** For upgrades: completes the handshake and gives the sink of its frames. */
  openWebSocket: OpenWebSocket | undefined
  /** Calls back once, when what the request was authenticated by is no longer taken: for what runs long. */
  onRevoked: (callback: () => void) => void
  /** Whether what the request was authenticated by still stands for the same user with the same groups and scope. */
  isSameUser: () => boolean
  /** Told of errors that are nobody's fault but the server's. */
  report: (error: unknown) => void
  /** Run when the answer is complete or the connection is gone. */
  onFinish: (callback: () => void) => void
}

/** One isolated API as the endpoints see it. */
export interface Plane {
  resources: ResourceSet
  storeOf(resource: ResourceDefinition): Store
  authorize: Authorizer
  /** What its kinds know it by, where planes share them. Asked for once a request may go on. */
  access?: object | undefined
  /** Who may come in by what; absent: the server's own. */
  authenticator?: Authenticator
  /** Lets an authenticated request in, and makes what stands behind the plane where that is still to be made. It may
   *  change who the request is by. Absent: everybody is in. @throws StatusError 403, 404. */
  enter?(exchange: Exchange): void | Promise<void>
  /** Reviews the writes of clients. Absent: nobody does. */
  admission?: AdmissionControl
  /** What an audit policy knows the plane as. Default: the management API. */
  auditTarget?: { target: RequestTarget; cluster: string }
  /** Answers a path outside the resources: discovery, OpenAPI, health. False: no such path. */
  serveDocument(exchange: Exchange): Promise<boolean>
}

/** Resolves when it is the user's turn again for a step of work on `bytes`; undefined: it needs none. */
export function nextTurn({ user }: Exchange, bytes: number): Promise<void> | undefined {
  return callerTurns.next(user.name, bytes)
}

/** The exchange as the registry sees it. */
export function registryContext(exchange: Exchange, dryRun = false): RequestContext {
  const { user, plane, warnings } = exchange
  return {
    user,
    dryRun,
    warn: (text) => warnings.add(text),
    turn: (bytes) => nextTurn(exchange, bytes),
    plane: plane.access,
  }
}
