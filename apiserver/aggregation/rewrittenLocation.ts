import { posix } from 'node:path'

export interface RewrittenFor {
  /** Path on this server that corresponds to the root of the other server. */
  prefix: string
  /** Host and port of the other server, and the Host header of requests to it. */
  hosts: { target: string; asked: string }
}

const parts = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/is

/**
 * URL of another server's page, rewritten to lead through this server: absolute paths get the
 * prefix. Relative URLs and URLs of other hosts are unchanged. Source: seen on kube-apiserver
 * 1.37.2.
 */
export function rewrittenLocation(url: string, { prefix, hosts }: RewrittenFor): string {
  const [, scheme, host, path = '', rest = ''] = parts.exec(url) ?? []
  const isElsewhere = host !== undefined && host !== hosts.target && host !== hosts.asked
  if (isElsewhere || !path.startsWith('/')) return url
  const below = path.startsWith(prefix) ? path : posix.normalize(`${prefix}/${path}`)
  return `${host === hosts.asked ? originOf(scheme, host) : ''}${below}${rest}`
}

function originOf(scheme: string | undefined, host: string): string {
  return scheme === undefined ? `//${host}` : `${scheme}://${host}`
}
