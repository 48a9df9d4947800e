import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'

/** The names by which programs inside a cluster call an API server. */
const clusterNames = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
]

/** Every name and address under which a server that listens on `bindAddress` is called: loopback, the machine's name,
 *  names of an API server in a cluster, and the address itself, or each of the machine's when it listens on all. */
export function servingHosts(bindAddress: string): string[] {
  const everywhere = bindAddress === '0.0.0.0' || bindAddress === '::'
  const addresses = everywhere ? machineAddresses() : [bindAddress]
  const name = hostname().toLowerCase()
  const names = ['localhost', ...(isDnsName(name) ? [name] : []), ...clusterNames]
  return [...new Set([...names, '127.0.0.1', '::1', ...addresses])]
}

/** Link-local addresses are left out: they hold on one interface only. */
function machineAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address }) => address)
    .filter((address) => isIP(address) > 0 && !address.startsWith('fe80:'))
}

function isDnsName(name: string): boolean {
  return /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name)
}
