import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Exchange } from '../endpoints/exchange.ts'
import { start } from '../endpoints/response/response.ts'
import { endToEnd } from './forwardedHeaders.ts'
import type { Headers } from './userHeaders.ts'

export interface Changes {
  /** Headers to replace; undefined values are removed. */
  headers?: Readonly<Record<string, string | undefined>>
  /** Body to send in place of the original. */
  body?: AsyncIterable<Buffer> | undefined
}

/** Streams the response of another server back, with changes. */
export function streamBack(
  exchange: Exchange,
  answer: IncomingMessage,
  { headers: replaced = {}, body = answer }: Changes = {},
): void {
  const { response } = exchange
  const { statusCode: code = 502 } = answer
  const { 'audit-id': _audit, ...headers } = { ...endToEnd(answer.headers), ...replaced }
  const { 'cache-control': cacheControl, ...others } = headers
  exchange.audit?.streamStarted(code)
  start(exchange, code, {
    ...present(others),
    ...(cacheControl === undefined ? {} : { 'Cache-Control': String(cacheControl) }),
  })
  response.flushHeaders()
  copy(body, response).catch(() => response.destroy())
}

function present(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string | string[]] => entry[1] !== undefined,
    ),
  )
}

/** Writes each chunk as it arrives. The response of a watch over HTTP/2 is not a Node stream. */
async function copy(body: AsyncIterable<Buffer>, response: ServerResponse): Promise<void> {
  for await (const chunk of body) {
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

/** Connects both sides of an upgraded connection. */
export function joinSockets(
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
