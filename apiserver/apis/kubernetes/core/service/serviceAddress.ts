import { createHash } from 'node:crypto'

/** Source: the default of the flag --service-node-port-range. */
export const firstNodePort = 30_000
export const lastNodePort = 32_767
/** The first are left to who names them. Source: Kubernetes documentation, "Avoid NodePort collisions". */
const firstFreePort = firstNodePort + 86
/** The range of the addresses of services. */
export const serviceRange = '10.96.0.0/12'

/** Start of the range of service addresses; its first 256 are left to services that name them. */
const firstAddress = ((10 << 24) | (96 << 16)) >>> 0
const reserved = 256
const addressCount = 2 ** 20

/** An address made from the service's UID: nothing listens there, and it is the same at every try of one create. */
export function clusterAddress(uid: string): string {
  return freeClusterAddress(uid, () => true) ?? ''
}

/** The first free one from the service's own on; undefined: there is none. */
export function freeClusterAddress(
  uid: string,
  isFree: (address: string) => boolean,
): string | undefined {
  for (const offset of around(uid, reserved, addressCount - 1)) {
    const number = firstAddress + offset
    const address = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
    if (isFree(address)) return address
  }
  return undefined
}

/** The first free one from a port of the service's own on; undefined: there is none. */
export function freeNodePort(uid: string, isFree: (port: number) => boolean): number | undefined {
  for (const port of around(`${uid} node`, firstFreePort, lastNodePort)) {
    if (isFree(port)) return port
  }
  return undefined
}

function* around(seed: string, first: number, last: number): Generator<number> {
  const count = last - first + 1
  const start = createHash('sha256').update(seed).digest().readUInt32BE() % count
  for (let step = 0; step < count; step++) yield first + ((start + step) % count)
}
