import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/** Where a request says it comes from, and last the address that it did come from; only that one is certain.
 *  Source: Kubernetes API reference, audit.k8s.io/v1 Event, sourceIPs. */
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

/** A listener for both versions of IP shows the older one inside the newer. */
function bare(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}
