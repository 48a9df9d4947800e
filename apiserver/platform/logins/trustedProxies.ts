import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** The origin of a request, as far as it can be trusted. */
export interface ClientOrigin {
  /** The IP address; empty: the connection is closed already. */
  address: string
  /** Scheme and host that the client used, without a trailing slash; undefined: no trusted proxy provides it. */
  base: string | undefined
}

/**
 * Reads forwarded headers of configured proxies, and ignores headers of other peers.
 * Source: RFC 7239 section 8.1 for the reasons; the headers are the older `X-Forwarded-For`,
 * `-Host` and `-Proto`.
 */
export class TrustedProxies {
  readonly #networks = new BlockList()
  readonly #isEmpty: boolean

  /** Parses the proxies. @param networks IP addresses, and networks such as `10.0.0.0/8`. */
  constructor(networks: readonly string[]) {
    this.#isEmpty = networks.length === 0
    for (const network of networks) {
      const [address = '', prefix] = network.split('/')
      const bits = prefix === undefined ? (isIPv6(address) ? 128 : 32) : Number(prefix)
      this.#networks.addSubnet(address, bits, isIPv6(address) ? 'ipv6' : 'ipv4')
    }
  }

  originOf({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): ClientOrigin {
    const peer = bareAddress(socket.remoteAddress ?? '')
    if (!this.#isTrusted(peer)) return { address: peer, base: undefined }
    const isEncrypted = 'encrypted' in socket && socket.encrypted === true
    return { address: this.#clientBehind(peer, headers), base: baseOf(headers, isEncrypted) }
  }

  /** The nearest hop that is not a trusted proxy: entries to the left of it can be forged. */
  #clientBehind(peer: string, headers: IncomingHttpHeaders): string {
    let nearest = peer
    for (const hop of listOf(headers['x-forwarded-for']).reverse()) {
      const address = bareAddress(hop)
      if (isIP(address) === 0) return nearest
      nearest = address
      if (!this.#isTrusted(address)) return nearest
    }
    return nearest
  }

  #isTrusted(address: string): boolean {
    if (this.#isEmpty || isIP(address) === 0) return false
    return this.#networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
}

const hostForm = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** The base URL. The last of several values is from the nearest proxy, the trusted one. */
function baseOf(headers: IncomingHttpHeaders, isEncrypted: boolean): string | undefined {
  const host = listOf(headers['x-forwarded-host']).at(-1) ?? hostOf(headers)
  const said = listOf(headers['x-forwarded-proto']).at(-1)?.toLowerCase()
  const scheme = said ?? (isEncrypted ? 'https' : 'http')
  if (host === undefined || !hostForm.test(host) || !/^https?$/.test(scheme)) return undefined
  return `${scheme}://${host}`
}

/** The host of the request, which is a pseudo-header in HTTP/2. */
export function hostOf({ host, ':authority': authority }: IncomingHttpHeaders): string | undefined {
  return host ?? (Array.isArray(authority) ? authority[0] : authority)
}

function listOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '')
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** The address without a port, which some proxies add, and without the IPv6 prefix of mapped IPv4 addresses. */
function bareAddress(text: string): string {
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1]
  const bare = address ?? text
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(bare) ? bare.slice(7) : bare
}
