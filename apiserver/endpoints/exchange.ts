import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RequestTarget } from '../audit/auditSettings.ts'
import type { UserInfo } from '../meta/types.ts'
import type { AdmissionControl } from '../registry/admission.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { ProxyTarget } from '../registry/proxyPlace.ts'
import type { Review } from '../registry/review.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import type { Shows, View } from '../registry/read/visibility.ts'
import type { Store } from '../registry/store.ts'
import type { RequestContext } from '../registry/strategy.ts'
import type { OutputFormat } from '../encoding/outputFormat.ts'
import type { ProtobufCodec } from '../encoding/protobuf/protobufCodec.ts'
import type { Framing, Sink } from '../watch/sink.ts'
import type { Authorizer } from '../authorization/authorizer.ts'
import type { UserFairness } from './body/userFairness.ts'
import type { Authenticator } from './chainServices.ts'
import type { ExchangeAudit } from './audit/exchangeAudit.ts'
import type { RequestInfo } from './requestInfo.ts'
import type { TurnEnd } from './response/turnEnd.ts'
import type { UnreadAnswers } from './response/unreadResponses.ts'

/** Completes a websocket handshake and returns the sink for its frames. */
export type OpenWebSocket = (framing: Framing) => Promise<Sink>

/** Takes the connection of an upgrade from its response. `head`: bytes already received on it. */
export type TakeSocket = () => { socket: Duplex; head: Buffer }

/** Groups that other servers serve for a plane. */
export interface RemoteGroups {
  /** Reports whether a request for another server may be long-running: a watch, an upgrade or a stream. */
  isLongRunning(exchange: Exchange): boolean
  /** Forwards a request if another server serves it; undefined: none does. */
  serve(exchange: Exchange): Promise<void> | undefined
}

/** Connections to the servers behind proxy subresources. */
export interface PlaceProxy {
  /** Passes a request on, and its response back. Resolves when the exchange ends. @throws StatusError 500, 503. */
  pass(exchange: Exchange, target: ProxyTarget): Promise<void>
}

/**
 * Request and response on their way through the filter chain. A websocket upgrade is an exchange, too: its `response`
 * writes to the socket, until `openWebSocket` takes the socket.
 */
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
  /** Anonymous until authentication. */
  user: UserInfo
  warnings: Set<string>
  /** Restricts a list or watch to some objects; undefined: all of them. */
  shows: Shows | undefined
  /** Creates the view of a watch restricted to some objects. */
  view: (() => View) | undefined
  /** The resource of the request, set by routing. */
  resource: ResourceDefinition | undefined
  /** Kind of the bodies: the resource's, or the kind of a subresource with another one. */
  bodyKind: ResourceDefinition | undefined
  /** The format of a response with one object; undefined: not negotiated yet. */
  objectFormat: OutputFormat | undefined
  /** Size of the response body; undefined: unknown until it ends, or not started. */
  bodyBytes: number | undefined
  /** Set if the server responded in place of the handler: it was overloaded, or the deadline passed. */
  gaveUp: 'busy' | 'late' | undefined
  /** Milliseconds spent in filters that took one or more, by name; undefined: none. */
  filtersMs: Readonly<Record<string, number>> | undefined
  /** Decoded body; undefined: no body was read. */
  sentBody: unknown
  /** The audit record of the exchange; undefined: it is not audited. */
  audit: ExchangeAudit | undefined
  protobuf: ProtobufCodec
  /** Accounts for large responses until they are read. */
  unread: UnreadAnswers
  /** Turns of large work. */
  fairness: UserFairness
  /** End of the event loop's turn, when small responses are sent. */
  turnEnd: TurnEnd
  /** Completes the handshake of an upgrade and returns the sink for its frames. */
  openWebSocket: OpenWebSocket | undefined
  /** Hands over the connection of an upgrade. */
  takeSocket: TakeSocket | undefined
  /** Calls back once, when the request's credential is revoked: for long-running requests. */
  onRevoked: (callback: () => void) => void
  /** Reports whether the request's credential still authenticates the same user with the same groups and scope. */
  isSameUser: () => boolean
  /** Called with server-side errors. */
  report: (error: unknown) => void
  /** Adds a callback for the end of the response or the connection. */
  onFinish: (callback: () => void) => void
}

/** An isolated API as seen by the endpoints. */
export interface Plane {
  resources: ResourceSet
  storeOf(resource: ResourceDefinition): Store
  authorize: Authorizer
  /** Identifies the plane to kinds shared by several planes. Read after a request was admitted. */
  access?: object | undefined
  /** Authenticator of the plane; absent: the server's. */
  authenticator?: Authenticator
  /**
   * Admits an authenticated request, and opens the plane if necessary. May change the user. Absent: every request is
   * admitted. @throws StatusError 403, 404.
   */
  enter?(exchange: Exchange): void | Promise<void>
  /** True if users may block the deletion of owners that they may not delete. Absent: users need that right. */
  allowsAnyOwner?: boolean
  /** Reviews the writes of clients. Absent: no review. */
  admission?: AdmissionControl | undefined
  /** Groups of other servers. Absent: none. */
  remote?: RemoteGroups | undefined
  /**
   * Passes requests on to pods, services and nodes. Absent: this server connects to none of them.
   */
  proxy?: PlaceProxy | undefined
  /** The plane in terms of audit policies. Default: the management API. */
  auditTarget?: { target: RequestTarget; cluster: string }
  /** Serves a path outside the resources: discovery, OpenAPI, health. False: there is no such path. */
  serveDocument(exchange: Exchange): Promise<boolean>
}

/** Resolves when it is the user's turn to handle `bytes`; undefined: no turn is needed. */
export function nextTurn(exchange: Exchange, bytes: number): Promise<void> | undefined {
  return exchange.fairness.next(exchange.user.name, bytes)
}

export function registryContext(
  exchange: Exchange,
  dryRun = false,
  review?: Review,
): RequestContext {
  const { user, plane, warnings } = exchange
  return {
    user,
    dryRun,
    review,
    warn: (text) => warnings.add(text),
    turn: (bytes) => nextTurn(exchange, bytes),
    plane: plane.access,
  }
}
