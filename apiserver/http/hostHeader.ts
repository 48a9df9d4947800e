import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Characters of a valid Host header. Source: Go, httpguts.ValidHostHeader. */
const validHost = /^[!$%&'()*+,\-.\w:;=[\]~]*$/

/**
 * Reason phrase of the 400 for an HTTP/1.1 request without exactly one valid Host header;
 * undefined: it has one. A proxy in front might route such a request by another name than this
 * server. Source: RFC 9112, section 3.2; seen on kube-apiserver 1.37.2.
 */
export function hostProblem({
  httpVersion,
  rawHeaders,
  headers,
}: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders' | 'headers'>): string | undefined {
  if (httpVersion !== '1.1') return undefined
  const { host } = headers
  if (host === undefined) return 'Bad Request: missing required Host header'
  if (hostCount(rawHeaders) > 1) return 'Bad Request'
  return validHost.test(host) ? undefined : 'Bad Request: malformed Host header'
}

function hostCount(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

/** Refuses a request with 400 and closes its connection. */
export function refuseHost(response: ServerResponse, reason: string): void {
  response.writeHead(400, reason, { ...textHeaders, 'Content-Length': `400 ${reason}`.length })
  response.end(`400 ${reason}`)
}

/** Refuses an upgrade with 400 and closes its connection. */
export function refuseUpgradeHost(socket: Socket, reason: string): void {
  const head = Object.entries(textHeaders).map(([name, value]) => `${name}: ${value}`)
  socket.write([`HTTP/1.1 400 ${reason}`, ...head, '', `400 ${reason}`].join('\r\n'))
  socket.destroySoon()
}

const textHeaders = { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }
