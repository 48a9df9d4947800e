import { createHash } from 'node:crypto'

/** An address of 10.96.0.0/12, where clusters have their services, made from the service's UID: nothing listens there,
 *  and it is the same at every try of one create. */
export function clusterAddress(uid: string): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(uid).digest()
  return `10.${96 + (a % 16)}.${b}.${1 + (c % 254)}`
}
