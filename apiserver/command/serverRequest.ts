import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import type { PlaneConnection } from '../../syncer/client/openPlane.ts'
import { StartError } from '../runtime/startError.ts'

/** Time in milliseconds without any data after which a server counts as unreachable. */
const silentMs = 60_000

export interface ServerRequest {
  method: 'GET' | 'POST'
  /** Path below the base URL of the connection. */
  path: string
  /** Body, which is sent as JSON; absent: no body. */
  body?: unknown
}

/** Sends a request. @throws StartError with the server's message for an error response; the system's error. */
export async function sendRequest(
  { base, agent, headers }: Pick<PlaneConnection, 'base' | 'agent' | 'headers'>,
  { method, path, body }: ServerRequest,
): Promise<IncomingMessage> {
  const url = base + path
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  const own = await headers()
  const typed = body === undefined ? own : { ...own, 'content-type': 'application/json' }
  const response = await new Promise<IncomingMessage>((done, failed) => {
    const request = send(url, { method, agent, timeout: silentMs, headers: typed }, done)
    request.on('error', failed)
    request.on('timeout', () => request.destroy(new Error(`no byte within ${silentMs} ms`)))
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
  const { statusCode = 0 } = response
  if (statusCode >= 200 && statusCode < 300) return response
  throw new StartError(`${url} responded ${statusCode}: ${messageOf(await text(response))}`)
}

function messageOf(body: string): string {
  try {
    const { message } = JSON.parse(body) as { message?: unknown }
    if (typeof message === 'string') return message
  } catch {
    // The body is not a Status.
  }
  return body.slice(0, 200).trim()
}
