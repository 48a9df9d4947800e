import { BlockList, isIP } from 'node:net'
import { badRequest } from '../../../../meta/statusErrors.ts'

/**
 * Loopback, link-local, multicast, broadcast and unspecified addresses. Source: Go's net,
 * IP.IsGlobalUnicast.
 */
const refused = new BlockList()
refused.addSubnet('127.0.0.0', 8)
refused.addSubnet('169.254.0.0', 16)
refused.addSubnet('224.0.0.0', 4)
refused.addAddress('0.0.0.0')
refused.addAddress('255.255.255.255')
refused.addAddress('::', 'ipv6')
refused.addAddress('::1', 'ipv6')
refused.addSubnet('fe80::', 10, 'ipv6')
refused.addSubnet('ff00::', 8, 'ipv6')

/** Reports whether requests may be proxied to an address. */
export function isProxyable(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && !refused.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** Checks an address before requests are proxied to it. @throws StatusError 400. */
export function checkProxyable(address: string): void {
  if (!isProxyable(address)) throw badRequest('address not allowed')
}
