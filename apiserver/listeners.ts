import {
  createServer as createHttpServer,
  IncomingMessage,
  ServerResponse,
  type Server,
} from 'node:http'
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import express, { type Express } from 'express'
import type { Sink } from './watch/sink.ts'

/** Answers a request; an upgrade brings the function that completes the handshake. */
export type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  openWebSocket?: () => Promise<Sink>,
) => Promise<void>

export interface Listener {
  port: number
  /** Serves new connections with this certificate; of no effect on plain HTTP. */
  setCertificate(certificate: { cert: string; key: string }): void
  /** Takes no new connections, lets running requests end until `graceMs` is over, then cuts the rest. */
  close(graceMs: number): Promise<void>
}

export interface ListenOptions {
  serve: Serve
  address: string
  /** 0: any free port. */
  port: number
  /** Absent: plain HTTP. */
  tls?: { cert: string; key: string }
}

/** Opens a listener. @throws Error of the system, with its code, when the address cannot be had. */
export async function listen({ serve, address, port, tls }: ListenOptions): Promise<Listener> {
  const app = shell(serve)
  const options = {
    ...expressConstructors(app),
    requestTimeout: 120_000,
    headersTimeout: 30_000,
    keepAliveTimeout: 90_000,
  }
  // Both are the same server to everything below.
  const server: Server =
    tls === undefined
      ? createHttpServer(options, app)
      : createHttpsServer({ ...options, ...tls, minVersion: 'TLSv1.2' }, app)
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void upgrade(serve, request, socket, head)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, resolve)
  })
  const sockets = trackSockets(server)
  // A listening TCP server has an address object.
  const { port: actual } = server.address() as AddressInfo
  return {
    port: actual,
    setCertificate: (certificate) => {
      if (server instanceof HttpsServer) server.setSecureContext(certificate)
    },
    close: (graceMs) => close(server, sockets, graceMs),
  }
}

/** Express is the outer shell alone: the API has its own path parser. */
function shell(serve: Serve): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.use((request, response) => serve(request, response))
  return app
}

/** Request and response constructors whose prototypes are already express's. Express otherwise changes the prototype
 *  of each request and response, which makes every later access slow. */
function expressConstructors(app: Express): {
  IncomingMessage: typeof IncomingMessage
  ServerResponse: typeof ServerResponse
} {
  function Request(this: object, socket: Socket): void {
    Reflect.apply(IncomingMessage, this, [socket])
    Object.assign(this, { res: undefined, next: undefined, params: undefined, route: undefined })
    Object.assign(this, { _parsedUrl: undefined, baseUrl: '', originalUrl: '' })
  }
  function Response(this: object, request: IncomingMessage, options?: object): void {
    Reflect.apply(ServerResponse, this, [request, options])
    Object.assign(this, { locals: undefined })
  }
  Request.prototype = app.request
  Response.prototype = app.response
  // Node calls them with `new` and looks at nothing but the prototype and what the constructor set.
  return {
    IncomingMessage: Request as unknown as typeof IncomingMessage,
    ServerResponse: Response as unknown as typeof ServerResponse,
  }
}

/** An upgrade goes through the same chain: its response writes to the socket, unless the handshake takes it over. */
async function upgrade(
  serve: Serve,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  socket.on('error', () => socket.destroy())
  const response = new ServerResponse(request)
  // Node gives a net.Socket or a TLS socket here.
  response.assignSocket(socket as Socket)
  let handedOver = false
  response.on('finish', () => {
    if (!handedOver) socket.end()
  })
  const openWebSocket = async (): Promise<Sink> => {
    const { acceptWebSocket } = await import('./watch/acceptWebSocket.ts')
    handedOver = true
    response.detachSocket(socket as Socket)
    const sink = await acceptWebSocket(request, socket, head)
    sink.onClose(() => response.emit('close'))
    return sink
  }
  const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket'
  await serve(request, response, isWebSocket ? openWebSocket : undefined)
}

function trackSockets(server: Server): Set<Socket> {
  const sockets = new Set<Socket>()
  for (const event of ['connection', 'secureConnection']) {
    server.on(event, (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
  }
  return sockets
}

async function close(server: Server, sockets: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy()
  }, graceMs)
  await closed
  clearTimeout(timer)
}
