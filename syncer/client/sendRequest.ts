import type { IncomingMessage } from 'node:http'
import { guarded } from '../../apiserver/meta/waiting/guarded.ts'
import { request as httpRequest, type Agent, type OutgoingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { PlaneError } from './planeClient.ts'
import { parseExact } from '../../apiserver/meta/json/exactJson.ts'

const timeoutMs = 30_000

export interface RequestHead {
  url: string
  method: string
  agent: Agent
  headers: OutgoingHttpHeaders
  /** Aborts the request at any stage. */
  signal: AbortSignal
}

/**
 * Sends and receives JSON.
 * @throws the system's error without a response, PlaneError if it is not JSON.
 */
export async function sendRequest(
  head: RequestHead,
  body: string | undefined,
): Promise<{ code: number; value: unknown }> {
  const { code, text } = await exchange(head, body)
  try {
    return { code, value: text === '' ? {} : parseExact(text) }
  } catch (cause) {
    if (code >= 300) return { code, value: { message: text.slice(0, 200) } }
    throw new PlaneError(502, 'BadGateway', `the answer is no JSON: ${String(cause)}`)
  }
}

function exchange(
  { url, method, agent, headers, signal }: RequestHead,
  body: string | undefined,
): Promise<{ code: number; text: string }> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  const accepted = { ...headers, accept: 'application/json', 'user-agent': 'platform-syncer' }
  const typed = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body ?? ''),
  }
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method,
      agent,
      signal,
      headers: body === undefined ? accepted : { ...accepted, ...typed },
      timeout: timeoutMs,
    })
    request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)))
    request.on('error', reject)
    const answered = (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      const end = () =>
        resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() })
      response.on('end', guarded('sendRequest.end', reject, end))
    }
    request.on('response', guarded('sendRequest.response', reject, answered))
    request.end(body)
  })
}
