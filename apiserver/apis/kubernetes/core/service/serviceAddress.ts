import { createHash } from 'node:crypto'
import {
  addressText,
  firstAddress,
  parseRange,
  type IpAddress,
  type IpRange,
} from '../../../../meta/ipAddress.ts'

/** First node port. Source: the default of the flag --service-node-port-range. */
export const firstNodePort = 30_000
export const lastNodePort = 32_767
/**
 * First node port to allocate; lower ports are reserved for services that request one. Source:
 * Kubernetes documentation, "Avoid NodePort collisions".
 */
const firstFreePort = firstNodePort + 86
/** Default range of service addresses. */
export const defaultServiceRange = '10.96.0.0/12'

/**
 * Address derived from the service's UID: nothing listens on it, and it stays the same when a
 * create is retried.
 */
export function clusterAddress(uid: string): string {
  return freeClusterAddress(uid, defaultServiceRange, () => true) ?? ''
}

/** First free address of a range, starting at the service's own; undefined: none. */
export function freeClusterAddress(
  uid: string,
  range: string,
  isFree: (address: string) => boolean,
): string | undefined {
  const { network, first, last } = bounds(range)
  for (const offset of around(uid, first, last)) {
    const address = addressAt(network, offset)
    if (isFree(address)) return address
  }
  return undefined
}

/**
 * Reports whether a service may have an address of the range: any but the first and, in IPv4, the
 * last.
 */
export function holdsServiceAddress(range: string, { value, width }: IpAddress): boolean {
  const network = parseRange(range)
  if (network === undefined || network.address.width !== width) return false
  const first = firstAddress(network)
  const last = first + (1n << BigInt(width - network.prefix)) - 1n
  return value > first && (width === 128 ? value <= last : value < last)
}

/** Address of the API server's own service: the first of the range. */
export function firstServiceAddress(range: string): string {
  return addressAt(bounds(range).network, 1)
}

/**
 * Offsets of addresses to allocate, without the last and the reserved addresses. Source: Kubernetes
 * documentation, "Service ClusterIP allocation", reserved address space.
 */
function bounds(range: string): { network: IpRange; first: number; last: number } {
  const network = parseRange(range)
  if (network === undefined) throw new Error(`${range} is no range of addresses`)
  const count = 2 ** Math.min(network.address.width - network.prefix, maxBits)
  const reserved = Math.min(Math.max(16, Math.floor(count / 16)), 256)
  // A small range has no reserved part.
  return { network, first: reserved < count - 1 ? reserved : 1, last: count - 2 }
}

/**
 * Maximum size of a range in bits; only a part of a larger range is used, as in the real server.
 */
const maxBits = 20

function addressAt(network: IpRange, offset: number): string {
  const { width } = network.address
  return addressText({ value: firstAddress(network) + BigInt(offset), width })
}

/** Node ports to allocate, starting at the service's own. */
export function nodePorts(uid: string): Iterator<number> {
  return around(`${uid} node`, firstFreePort, lastNodePort)
}

function* around(seed: string, first: number, last: number): Generator<number> {
  const count = last - first + 1
  const start = createHash('sha256').update(seed).digest().readUInt32BE() % count
  for (let step = 0; step < count; step++) yield first + ((start + step) % count)
}
