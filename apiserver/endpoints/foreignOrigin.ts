import type { IncomingHttpHeaders } from 'node:http'
import { StatusError } from '../meta/status.ts'

/** Whether a browser sent the request for a page of another host. Without Origin it was no page; several programs that
 *  are no browsers name the host that they connect to. The scheme does not count: what is in front of this server may
 *  end TLS. Source: RFC 6455 section 10.2. */
export function isForeignOrigin({ origin, host = '' }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return false
  const own = originOf(`http://${host}`)
  const page = originOf(origin)
  return page === undefined || own === undefined || !isSameHost(page, own)
}

/** The refusal of a page. */
export function foreignOrigin(origin: string): StatusError {
  return new StatusError(403, 'Forbidden', `the origin ${JSON.stringify(origin)} is not allowed`)
}

function originOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

/** A port that is not named is that of the scheme, and Host does not name the scheme. */
function isSameHost(page: URL, own: URL): boolean {
  if (page.hostname === '' || page.hostname !== own.hostname) return false
  const ports = [page.port || defaultPorts[page.protocol], own.port]
  return ports[0] === ports[1] || (own.port === '' && ['80', '443'].includes(ports[0] ?? ''))
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }
