import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Where a request comes from, as far as that can be relied on. */
export interface ClientOrigin {
  /** The IP address; empty: the connection is gone already. */
  address: string
  /** Scheme and host that the client called, without a slash at the end; undefined: no proxy that is trusted says it. */
  base: string | undefined
}

/** Believes what proxies say of their clients where the peer is one of those that are named, and nobody else.
 *  Source: RFC 7239 section 8.1 on why; the headers are the older `X-Forwarded-For`, `-Host` and `-Proto`. */
export class TrustedProxies {
  readonly #networks = new BlockList()
  readonly #isEmpty: boolean

  /** @param networks IP addresses, and networks as `10.0.0.0/8`. */
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

  /** The nearest hop that is no trusted proxy: what stands left of it anybody may have written. */
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

/** The last of several values is that of the nearest proxy, which is the one that is trusted. */
function baseOf(headers: IncomingHttpHeaders, isEncrypted: boolean): string | undefined {
  const host = listOf(headers['x-forwarded-host']).at(-1) ?? hostOf(headers)
  const said = listOf(headers['x-forwarded-proto']).at(-1)?.toLowerCase()
  const scheme = said ?? (isEncrypted ? 'https' : 'http')
  if (host === undefined || !hostForm.test(host) || !/^https?$/.test(scheme)) return undefined
  return `${scheme}://${host}`
}

/** The host that the request names; HTTP/2 has a word of its own for it. */
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

/** Without the port that some proxies add, and without the frame of IPv6 around an address of IPv4. */
function bareAddress(text: string): string {
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1]
  const bare = address ?? text
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(bare) ? bare.slice(7) : bare
}
