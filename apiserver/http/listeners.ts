import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { expressShell, httpConstructors, type Handler } from './expressShell.ts'
import { ConnectionPlaces } from './connectionPlaces.ts'
import { Connections } from './connections.ts'
import { hostProblem, refuseHost, refuseUpgradeHost } from './hostHeader.ts'
import { http2Constructors } from './http2Watch.ts'
import { guarded } from '../meta/waiting/guarded.ts'
import type { Serve } from './serve.ts'
import { superviseSession } from './superviseSession.ts'
import { serveConnect, serveUpgrade } from './upgrade.ts'

export interface Listener {
  port: number
  /** Sets the certificate for new connections; no effect on plain HTTP. */
  setCertificate(certificate: CertifiedKeyPem): void
  /** Number of failed TLS handshakes. */
  handshakeErrors(): number
  /** Refuses new connections, lets running requests end until `graceMs` has passed, then aborts the rest. */
  close(graceMs: number): Promise<void>
}

interface CertifiedKeyPem {
  cert: string
  key: string
  /**
   * PEM of the CAs to request client certificates for; empty: any. Connections without a certificate, or with a
   * different one, are accepted, too: certificates are evaluated for each request. Absent: no certificates are
   * requested.
   */
  clientCa?: string | undefined
}

export interface ListenOptions {
  serve: Serve
  address: string
  /** 0: any free port. */
  port: number
  /** Absent: plain HTTP. With TLS, HTTP/2 is offered in addition to HTTP/1.1. */
  tls?: CertifiedKeyPem
  /** Connection limit shared with other listeners; default: unlimited. */
  places?: ConnectionPlaces
  /** Time after which an HTTP/2 connection without streams is closed; default five minutes. */
  idleSessionMs?: number
  /** Interval of pings on an HTTP/2 connection; default thirty seconds. */
  pingMs?: number
  /** Called with server-side errors that ended a connection. Default: ignored. */
  report?: (error: unknown) => void
}

/**
 * Time limits for headers, for a request, and between two requests; and the size limit of headers,
 * including the path and its selectors: the same as in servers written in Go. The number of headers
 * is unlimited within that size: by default the runtime silently drops headers after the
 * thousandth, one of which may name the user to impersonate.
 */
const http1Limits = {
  headersTimeout: 30_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 90_000,
  maxHeaderSize: 1024 * 1024,
  maxHeadersCount: 0,
}

/** Ciphers of TLS 1.3, and those of TLS 1.2 with authenticated encryption (AEAD) and forward secrecy. */
const authenticatedCiphers = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':')

/** Time limit of the TLS handshake. */
const handshakeMs = 30_000

/**
 * Limits of HTTP/2, on which clients multiplex all their watches. Abuse ends the connection: repeated resets, invalid
 * frames, endless settings.
 */
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

/** Opens a listener. @throws the system's error, with its code, if the address is unavailable. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { serve, address, port, tls, idleSessionMs = 5 * 60_000, pingMs = 30_000 } = options
  const { report = () => undefined } = options
  const connections = new Connections(options.places ?? new ConnectionPlaces(), report)
  const cut = cutting(report)
  const followed: Serve = (request, response, ...upgrade) => {
    if (request.httpVersionMajor === 1) connections.began(request, response)
    return serve(request, response, ...upgrade)
  }
  const server = tls === undefined ? plainServer(followed) : secureServer(followed, tls)
  takeOther(server, { serve, connections, cut })
  // A session begins in the turn of its connection, and does not expose its socket.
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
  // Sound: a listening TCP server has an address object.
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

/** Closes the failed connection only. */
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

/** Handles anything but plain requests: websocket upgrades and CONNECT. */
function takeOther(server: Server | Http2SecureServer, { serve, connections, cut }: Taking): void {
  const upgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const problem = hostProblem(request)
    if (problem !== undefined) return refuseUpgradeHost(socket, problem)
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

/** Responds to CONNECT: with a response over HTTP/2, on the bare socket over HTTP/1.1. */
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
  const handle = handlerOf(serve, pages)
  const server = createServer({ ...constructors, requireHostHeader: false }, handle)
  return Object.assign(server, http1Limits)
}

/** Handler of the requests of a server: `pages` handles other paths than the API's over HTTP/1.1. */
function handlerOf(serve: Serve, pages: Handler): Handler {
  return (request, response) => {
    const problem = hostProblem(request)
    if (problem !== undefined) return refuseHost(response, problem)
    useOriginForm(request)
    if (request.httpVersionMajor === 2 || isApiPath(request.url)) void serve(request, response)
    else pages(request, response)
  }
}

/**
 * Reports whether the API serves the path: it has its own parser, and express would add a tenth to the cost of a read.
 */
function isApiPath(url: string | undefined): boolean {
  return url !== undefined && apiPath.test(url)
}

const apiPath =
  /^(\/[^/?]+\/(management|cluster\/[^/?]+|(project|virtualcluster)(\/[^/?]+){3}))?\/(api|apis)[/?]/

/** HTTP/2 and HTTP/1.1 on one port, selected by ALPN. Express only supports HTTP/1.1, so HTTP/2 bypasses it. */
function secureServer(serve: Serve, tls: CertifiedKeyPem): Http2SecureServer {
  const http = httpConstructors()
  const handle = handlerOf(serve, expressShell(serve, http))
  const server = createSecureServer(
    {
      ...contextOf(tls),
      requestCert: tls.clientCa !== undefined,
      rejectUnauthorized: false,
      ...http2Limits,
      // Same as in Node's HTTP/1.1 servers: otherwise the end of a response waits for the client's delayed
      // acknowledgement.
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
      // Sound: the compatibility API has the members that the chain uses, with the same meaning.
      const req = incoming as unknown as IncomingMessage
      const res = outgoing as unknown as ServerResponse
      handle(req, res)
    },
  )
  return Object.assign(server, http1Limits)
}

function contextOf({ cert, key, clientCa }: CertifiedKeyPem) {
  return { cert, key, ...(clientCa === undefined || clientCa === '' ? {} : { ca: clientCa }) }
}

/**
 * Removes scheme and host before the path, which clients may send as to a proxy.
 * Source: RFC 9112 section 3.2.2.
 */
function useOriginForm(request: IncomingMessage): void {
  const { url = '/' } = request
  if (url.startsWith('/')) return
  const path = url.replace(/^[a-z]+:\/\/[^/?]*/i, '')
  request.url = path.startsWith('/') ? path : `/${path}`
}
