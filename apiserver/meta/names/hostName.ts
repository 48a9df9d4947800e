import { hash } from 'node:crypto'

const longestName = 63
const keptOfLongName = 52

/** An object of a virtual cluster. */
export interface VirtualName {
  name: string
  namespace: string
  virtualCluster: string
}

/** The name of a virtual cluster's object on its host. Source: platform facts 6.7. */
export function hostName({ name, namespace, virtualCluster }: VirtualName): string {
  return name === '' ? '' : safeConcat(name, 'x', namespace, 'x', virtualCluster)
}

/** The short host name, for kinds with stricter length limits. Source: platform facts 6.7. */
export function shortHostName({ name, namespace, virtualCluster }: VirtualName): string {
  const digest = hash('sha256', [name, 'x', namespace, 'x', virtualCluster].join('-'))
  return `v${base36(digest).slice(0, 13)}`
}

/**
 * The host name of a cluster-scoped object, which is in the namespace of the virtual cluster.
 * Source: platform facts 6.7.
 */
export function clusterHostName(
  name: string,
  hostNamespace: string,
  virtualCluster: string,
): string {
  return safeConcat('vcluster', name, 'x', hostNamespace, 'x', virtualCluster)
}

/**
 * Joins the parts with hyphens; a result that is too long is cut and ends with a part of its digest.
 * Source: platform facts 6.7.
 */
export function safeConcat(...parts: readonly string[]): string {
  const joined = parts.join('-')
  if (Buffer.byteLength(joined) <= longestName) return joined
  const kept = Buffer.from(joined).subarray(0, keptOfLongName).toString()
  return `${kept}-${hash('sha256', joined).slice(0, 10)}`.replaceAll('.-', '-')
}

/** Digits in base 36; leading zero bytes become zeros. */
function base36(hex: string): string {
  const zeros = /^(?:00)*/.exec(hex)?.[0].length ?? 0
  return '0'.repeat(zeros / 2) + BigInt(`0x${hex}`).toString(36)
}
