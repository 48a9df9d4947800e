import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { expressShell, httpConstructors } from './expressShell.ts'
import { ConnectionPlaces } from './connectionPlaces.ts'
import { Connections } from './connections.ts'
import { http2Constructors } from './http2Watch.ts'
import { guarded } from '../meta/guarded.ts'
import type { Serve } from './serve.ts'
import { superviseSession } from './superviseSession.ts'
import { serveConnect, serveUpgrade } from './upgrade.ts'

export interface Listener {
  port: number
  /** Serves new connections with this certificate; of no effect on plain HTTP. */
  setCertificate(certificate: CertifiedKeyPem): void
  /** How many connections failed before they were encrypted. */
  handshakeErrors(): number
  /** Takes no new connections, lets running requests end until `graceMs` is over, then cuts the rest. */
  close(graceMs: number): Promise<void>
}

interface CertifiedKeyPem {
  cert: string
  key: string
  /** PEM of the authorities whose client certificates are asked for; empty: any. A connection without one, or with
   *  another, is taken too: what a certificate is worth is decided for each request. Absent: none is asked for. */
  clientCa?: string | undefined
}

export interface ListenOptions {
  serve: Serve
  address: string
  /** 0: any free port. */
  port: number
  /** Absent: plain HTTP. With it, HTTP/2 is offered beside HTTP/1.1. */
  tls?: CertifiedKeyPem
  /** What it shares with other listeners; default: of its own, and without bound. */
  places?: ConnectionPlaces
  /** A connection of HTTP/2 without a stream is closed after this; default five minutes. */
  idleSessionMs?: number
  /** A connection of HTTP/2 is asked so often whether it still listens; default thirty seconds. */
  pingMs?: number
  /** Told of what ended a connection, where that is nobody's fault but the server's. Default: nobody is. */
  report?: (error: unknown) => void
}

/** How long a client may take over the headers, over a request, and between two requests; and how large the headers may
 *  be, the path and its selectors among them: as large as a server in Go takes them. As many as fit into that: by itself the
 *  runtime drops those after the thousandth without a word, and one of them may say whom a request is to be made as. */
const http1Limits = {
  headersTimeout: 30_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 90_000,
  maxHeaderSize: 1024 * 1024,
  maxHeadersCount: 0,
}

/** Those of TLS 1.3, and of TLS 1.2 those that encrypt and authenticate in one (AEAD) with keys of their own. */
const authenticatedCiphers = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':')

/** How long a client may take until its connection is encrypted. */
const handshakeMs = 30_000

/** Clients put all their watches on one connection. What is more than a client has use for ends the connection: streams
 *  reset in a row, frames that make no sense, settings without end. */
const http2Limits = {
  settings: { maxConcurrentStreams: 2_000, initialWindowSize: 256 * 1024 },
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  maxSessionMemory: 64,
  maxSettings: 32,
  maxHeaderListPairs: 128,
  maxOutstandingPings: 10,
  streamResetBurst: 2_000,
  streamResetRate: 200,
}

/** Opens a listener. @throws Error of the system, with its code, when the address cannot be had. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { serve, address, port, tls, idleSessionMs = 5 * 60_000, pingMs = 30_000 } = options
  const { report = () => undefined } = options
  const connections = new Connections(options.places ?? new ConnectionPlaces(), report)
  const cut = cutting(report)
  const followed: Serve = (request, response, openWebSocket) => {
    if (request.httpVersionMajor === 1) connections.began(request, response)
    return serve(request, response, openWebSocket)
  }
  const server = tls === undefined ? plainServer(followed) : secureServer(followed, tls)
  takeOther(server, { serve, connections, cut })
  // A session begins in the turn of its connection, and does not give its socket away.
  let newest: Socket | undefined
  const connected = (socket: Socket) => {
    if (tls === undefined) connections.add(socket)
    else connections.addBare(socket)
  }
  server.prependListener('connection', guarded('listeners.connection', cut, connected))
  const encrypted = (socket: Socket) => {
    newest = socket
    connections.encrypted(socket)
  }
  server.prependListener('secureConnection', guarded('listeners.encrypted', cut, encrypted))
  const sessions = new Set<ServerHttp2Session>()
  const began = (session: ServerHttp2Session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    if (newest === undefined) return
    const supervised = superviseSession(session, newest, {
      idleMs: idleSessionMs,
      pingMs,
      report,
    })
    connections.lent(newest, () => supervised.hasStreams())
  }
  server.on('session', guarded('listeners.session', cut, began))
  let handshakeErrors = 0
  server.on('tlsClientError', () => handshakeErrors++)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, resolve)
  })
  // A listening TCP server has an address object.
  const { port: actual } = server.address() as AddressInfo
  return {
    port: actual,
    handshakeErrors: () => handshakeErrors,
    setCertificate: (certificate) => {
      if ('setSecureContext' in server) server.setSecureContext(contextOf(certificate))
    },
    close: (graceMs) => close(server, { connections, sessions, graceMs, report }),
  }
}

type Cut = (error: unknown, connection: { destroy(): unknown }) => void

/** Ends what failed, and no other connection. */
function cutting(report: (error: unknown) => void): Cut {
  return (error, connection) => {
    report(error)
    connection.destroy()
  }
}

interface Taking {
  serve: Serve
  connections: Connections
  cut: Cut
}

/** Takes what is no plain request: offers of a websocket, and CONNECT. */
function takeOther(server: Server | Http2SecureServer, { serve, connections, cut }: Taking): void {
  const upgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => {
    connections.lent(socket, () => true)
    serveUpgrade(serve, request, socket, head).catch((error: unknown) => cut(error, socket))
  }
  server.on(
    'upgrade',
    guarded('listeners.upgrade', (error, _request, socket) => cut(error, socket), upgrade),
  )
  const connect = (request: IncomingMessage, other: Duplex | ServerResponse) => {
    answerConnect(serve, request, other).catch((error: unknown) => cut(error, other))
  }
  server.on(
    'connect',
    guarded('listeners.connect', (error, _request, other) => cut(error, other), connect),
  )
}

/** HTTP/2 has an answer for it, HTTP/1.1 the bare connection. */
async function answerConnect(
  serve: Serve,
  request: IncomingMessage,
  other: Duplex | ServerResponse,
): Promise<void> {
  if (request.httpVersionMajor === 1) return serveConnect(serve, request, other as Duplex)
  request.url = ''
  await serve(request, other as ServerResponse)
}

interface Closing {
  connections: Connections
  sessions: ReadonlySet<ServerHttp2Session>
  graceMs: number
  report: (error: unknown) => void
}

async function close(
  server: Server | Http2SecureServer,
  { connections, sessions, graceMs, report }: Closing,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  connections.close((socket) => 'alpnProtocol' in socket && socket.alpnProtocol === 'h2')
  for (const session of sessions) session.close()
  const cut = () => {
    connections.destroy()
    for (const session of sessions) session.destroy()
  }
  const timer = setTimeout(guarded('listeners.grace', report, cut), graceMs)
  await closed
  clearTimeout(timer)
}

function plainServer(serve: Serve): Server {
  const http = httpConstructors()
  const pages = expressShell(serve, http)
  const constructors = { IncomingMessage: http.request, ServerResponse: http.response }
  const server = createServer(constructors, (incoming, outgoing) => {
    useOriginForm(incoming)
    if (isApiPath(incoming.url)) void serve(incoming, outgoing)
    else pages(incoming, outgoing)
  })
  return Object.assign(server, http1Limits)
}

/** The API has its own path parser, and what express would do before it costs a tenth of a read. */
function isApiPath(url: string | undefined): boolean {
  return url !== undefined && apiPath.test(url)
}

const apiPath =
  /^(\/[^/?]+\/(management|cluster\/[^/?]+|(project|virtualcluster)(\/[^/?]+){3}))?\/(api|apis)[/?]/

/** HTTP/2 and HTTP/1.1 on one port, as ALPN decides. Express knows HTTP/1.1 alone, so HTTP/2 goes past it. */
function secureServer(serve: Serve, tls: CertifiedKeyPem): Http2SecureServer {
  const http = httpConstructors()
  const pages = expressShell(serve, http)
  const server = createSecureServer(
    {
      ...contextOf(tls),
      requestCert: tls.clientCa !== undefined,
      rejectUnauthorized: false,
      ...http2Limits,
      // As a server of HTTP/1.1 alone has it: else the end of an answer waits for the client's delayed acknowledgement.
      noDelay: true,
      minVersion: 'TLSv1.2',
      ciphers: authenticatedCiphers,
      handshakeTimeout: handshakeMs,
      allowHTTP1: true,
      Http1IncomingMessage: http.request,
      Http1ServerResponse: http.response,
      ...http2Constructors(isApiPath),
    },
    (incoming, outgoing) => {
      // The compatibility API has the members that the chain uses, with the same meaning.
      const req = incoming as unknown as IncomingMessage
      const res = outgoing as unknown as ServerResponse
      useOriginForm(req)
      if (incoming.httpVersionMajor === 2 || isApiPath(req.url)) void serve(req, res)
      else pages(req, res)
    },
  )
  return Object.assign(server, http1Limits)
}

function contextOf({ cert, key, clientCa }: CertifiedKeyPem) {
  return { cert, key, ...(clientCa === undefined || clientCa === '' ? {} : { ca: clientCa }) }
}

/** Clients may name scheme and host in front of the path, as they do to a proxy; here the path alone counts.
 *  Source: RFC 9112 section 3.2.2. */
function useOriginForm(request: IncomingMessage): void {
  const { url = '/' } = request
  if (url.startsWith('/')) return
  const path = url.replace(/^[a-z]+:\/\/[^/?]*/i, '')
  request.url = path.startsWith('/') ? path : `/${path}`
}
