import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'

/** Names of an API server for programs inside a cluster. */
const clusterNames = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
]

/**
 * Every name and address of a server that listens on `bindAddress`: loopback, the machine's name,
 * names of an API server in a cluster, and the address itself. If it listens on all addresses, all
 * addresses of the machine are included.
 */
export function servingHosts(bindAddress: string): string[] {
  const everywhere = bindAddress === '0.0.0.0' || bindAddress === '::'
  const addresses = everywhere ? machineAddresses() : [bindAddress]
  const name = hostname().toLowerCase()
  const names = ['localhost', ...(isDnsName(name) ? [name] : []), ...clusterNames]
  return [...new Set([...names, '127.0.0.1', '::1', ...addresses])]
}

/** Addresses of the machine, without link-local ones, which are only valid on one interface. */
function machineAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address }) => address)
    .filter((address) => isIP(address) > 0 && !address.startsWith('fe80:'))
}

function isDnsName(name: string): boolean {
  return /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name)
}
