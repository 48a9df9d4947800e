import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Exchange } from '../endpoints/exchange.ts'
import { start, writeText } from '../endpoints/response/response.ts'
import { connectionProblem, type Endpoint } from '../webhooks/connectionProblem.ts'
import type { RemoteService } from './remoteService.ts'
import type { Connections } from './remoteConnections.ts'
import { endToEnd, forwardedHeaders, isBodiless } from './forwardedHeaders.ts'

export interface Passing {
  connections: Connections
  remote: RemoteService
  endpoint: Endpoint
  /** Path with the query, below the prefix of the plane. */
  path: string
}

/**
 * Forwards a request to another server and streams its response back. Resolves when the exchange ends.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function passOn(
  exchange: Exchange,
  { connections, remote, endpoint, path }: Passing,
): Promise<void> {
  const { request, response, method, takeSocket } = exchange
  const { upgrade } = request.headers
  const upgrades = takeSocket !== undefined && upgrade !== undefined
  const host = `${endpoint.host}:${endpoint.port}`
  const headers = forwardedHeaders(exchange, { host, path })
  if (upgrades) Object.assign(headers, { connection: 'Upgrade', upgrade })
  const outgoing = connections.open(remote, endpoint, { method, path, headers }, upgrades)
  return new Promise((resolve) => {
    /** Ends both sides if a step throws: each step runs in an event of its own. */
    const tried = (step: () => void) => {
      try {
        step()
      } catch (error) {
        exchange.report(error)
        outgoing.destroy()
        response.destroy()
      }
    }
    const failed = (error: unknown) =>
      tried(() => {
        if (response.headersSent) response.destroy()
        else tellFailure(exchange, connectionProblem(error, endpoint))
      })
    outgoing.on('error', failed)
    outgoing.on('response', (answer) => tried(() => sendBack(exchange, answer)))
    outgoing.on('upgrade', (answer, socket, head) =>
      tried(() => {
        const taken = takeSocket?.()
        if (taken === undefined) socket.destroy()
        else joinSockets({ answer, socket, head }, taken)
      }),
    )
    exchange.onFinish(() => {
      outgoing.destroy()
      resolve()
    })
    exchange.onRevoked(() => {
      outgoing.destroy()
      response.destroy()
    })
    if (upgrades || isBodiless(method)) outgoing.end()
    else {
      request.on('error', () => outgoing.destroy())
      request.pipe(outgoing)
    }
  })
}

function tellFailure(exchange: Exchange, why: string): void {
  writeText(exchange, 503, `error trying to reach service: ${why}\n`)
}

function sendBack(exchange: Exchange, answer: IncomingMessage): void {
  const { response } = exchange
  const { statusCode: code = 502, headers } = answer
  if (response.headersSent || response.destroyed) {
    answer.destroy()
    return
  }
  if (code >= 300 && code < 400 && headers.location !== undefined) {
    answer.destroy()
    const text = 'the backend attempted to redirect this request, which is not permitted'
    start(exchange, 502, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    })
    response.end(text)
    return
  }
  const { 'audit-id': _audit, 'cache-control': cacheControl, ...others } = endToEnd(headers)
  exchange.audit?.streamStarted(code)
  start(exchange, code, {
    ...others,
    ...(cacheControl === undefined ? {} : { 'Cache-Control': String(cacheControl) }),
  })
  response.flushHeaders()
  copy(answer, response).catch(() => response.destroy())
}

/** Writes each chunk as it arrives. A watch over HTTP/2 has a response that is not a Node stream. */
async function copy(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (!response.write(chunk) && !response.destroyed) await drained(response)
  }
  response.end()
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.removeListener('drain', done)
      response.removeListener('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}

interface Upgraded {
  answer: IncomingMessage
  socket: Duplex
  head: Buffer
}

function joinSockets(
  { answer, socket: far, head }: Upgraded,
  { socket: near, head: early }: { socket: Duplex; head: Buffer },
): void {
  const lines = [`HTTP/1.1 ${answer.statusCode ?? 101} ${answer.statusMessage ?? ''}`]
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2) {
    lines.push(`${answer.rawHeaders[at] ?? ''}: ${answer.rawHeaders[at + 1] ?? ''}`)
  }
  near.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (head.length > 0) near.write(head)
  if (early.length > 0) far.write(early)
  const end = () => {
    near.destroy()
    far.destroy()
  }
  for (const socket of [near, far]) socket.on('error', end).on('close', end)
  near.pipe(far)
  far.pipe(near)
}
