import { hash } from 'node:crypto'

const longestName = 63
const keptOfLongName = 52

/** An object of a virtual cluster. */
export interface VirtualName {
  name: string
  namespace: string
  virtualCluster: string
}

/** The name that an object of a virtual cluster has on its host. Source: platform facts 6.7. */
export function hostName({ name, namespace, virtualCluster }: VirtualName): string {
  return name === '' ? '' : safeConcat(name, 'x', namespace, 'x', virtualCluster)
}

/** The short host name, which kinds have whose names are limited further. Source: platform facts 6.7. */
export function shortHostName({ name, namespace, virtualCluster }: VirtualName): string {
  const digest = hash('sha256', [name, 'x', namespace, 'x', virtualCluster].join('-'))
  return `v${base36(digest).slice(0, 13)}`
}

/** The host name of an object without a namespace, in the namespace that the virtual cluster runs in.
 *  Source: platform facts 6.7. */
export function clusterHostName(
  name: string,
  hostNamespace: string,
  virtualCluster: string,
): string {
  return safeConcat('vcluster', name, 'x', hostNamespace, 'x', virtualCluster)
}

/** The parts joined by hyphens; what is too long for a name is cut and ends with a part of its digest.
 *  Source: platform facts 6.7. */
export function safeConcat(...parts: readonly string[]): string {
  const joined = parts.join('-')
  if (Buffer.byteLength(joined) <= longestName) return joined
  const kept = Buffer.from(joined).subarray(0, keptOfLongName).toString()
  return `${kept}-${hash('sha256', joined).slice(0, 10)}`.replaceAll('.-', '-')
}

/** A zero byte in front stays visible as a zero. */
function base36(hex: string): string {
  const zeros = /^(?:00)*/.exec(hex)?.[0].length ?? 0
  return '0'.repeat(zeros / 2) + BigInt(`0x${hex}`).toString(36)
}
