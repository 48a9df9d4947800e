import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/**
 * Addresses claimed by a request, followed by the address of its connection, which is the only reliable one.
 * Source: Kubernetes API reference, audit.k8s.io/v1 Event, sourceIPs.
 */
export function sourceIps(headers: IncomingHttpHeaders, remote: string | undefined): string[] {
  const forwarded = textOf(headers['x-forwarded-for']).split(',')
  const claimed = [...forwarded, textOf(headers['x-real-ip'])]
  const known = claimed.map((text) => text.trim()).filter((text) => isIP(text) !== 0)
  const address = bare(remote ?? '')
  const list = [...new Set(known)]
  return address === '' || list.at(-1) === address ? list : [...list, address]
}

function textOf(header: string | string[] | undefined): string {
  return Array.isArray(header) ? header.join(',') : (header ?? '')
}

/** The IPv4 address in a mapped IPv6 address, which a dual-stack listener reports. */
function bare(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}
