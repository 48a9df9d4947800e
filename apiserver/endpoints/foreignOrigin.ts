import type { IncomingHttpHeaders } from 'node:http'
import { StatusError } from '../meta/status.ts'

/**
 * Reports whether a browser sent the request for a page of another host. Requests without Origin are not from pages;
 * several programs other than browsers send the host that they connect to. The scheme is ignored, since a proxy may
 * terminate TLS. Source: RFC 6455 section 10.2.
 */
export function isForeignOrigin({ origin, host = '' }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return false
  const own = originOf(`http://${host}`)
  const page = originOf(origin)
  return page === undefined || own === undefined || !isSameHost(page, own)
}

/** The error for a foreign page. */
export function foreignOrigin(origin: string): StatusError {
  return new StatusError(403, 'Forbidden', `the origin ${JSON.stringify(origin)} is not allowed`)
}

function originOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

/** Reports whether hosts are equal. An absent port is the scheme's default, and Host does not contain the scheme. */
function isSameHost(page: URL, own: URL): boolean {
  if (page.hostname === '' || page.hostname !== own.hostname) return false
  const ports = [page.port || defaultPorts[page.protocol], own.port]
  return ports[0] === ports[1] || (own.port === '' && ['80', '443'].includes(ports[0] ?? ''))
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }
