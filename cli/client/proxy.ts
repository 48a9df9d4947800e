import { BlockList, isIP } from 'node:net'
import { usageError } from '../base/cliError.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Proxy for a server according to `HTTPS_PROXY` and `NO_PROXY`, or their lower-case names;
 * undefined: none. Loopback addresses and plain HTTP, which is only used on this machine, have
 * none.
 * @throws CliError usage.
 */
export function proxyFor(url: string, env: Env): URL | undefined {
  const { protocol, hostname, port } = new URL(url)
  const given = env['HTTPS_PROXY'] || env['https_proxy']
  if (protocol !== 'https:' || !given) return undefined
  const host = hostname.replace(/^\[|\]$/g, '')
  const list = env['NO_PROXY'] || env['no_proxy'] || ''
  return isLoopback(host) || isExcluded(host, port || '443', list) ? undefined : proxyAt(given)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** @throws CliError usage. */
function proxyAt(given: string): URL {
  const full = given.includes('://') ? given : `http://${given}`
  if (!URL.canParse(full) || !/^https?:/.test(full))
    throw usageError('HTTPS_PROXY is not an address', 'Give one such as http://proxy:3128.')
  return new URL(full)
}

/** Reports whether a host is in a list of hosts, domains and networks: `example.com,10.0.0.0/8,other:8443,*`. */
function isExcluded(host: string, port: string, list: string): boolean {
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => isMatch(host, port, entry.toLowerCase()))
}

function isMatch(host: string, port: string, entry: string): boolean {
  if (entry === '*') return true
  if (entry.includes('/')) return isInNetwork(host, entry)
  const [, name = entry, wanted] = /^(.*[^:]):(\d+)$/.exec(entry) ?? []
  if (wanted !== undefined && wanted !== port) return false
  const bare = name.replace(/^\*?\./, '').replace(/^\[|\]$/g, '')
  return host === bare || host.endsWith(`.${bare}`)
}

function isInNetwork(host: string, network: string): boolean {
  const [address = '', prefix] = network.split('/')
  const type = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(host) === 0 || isIP(host) !== isIP(address)) return false
  const bits = Number(prefix)
  if (!Number.isInteger(bits) || bits < 0 || bits > (type === 'ipv6' ? 128 : 32)) return false
  const list = new BlockList()
  list.addSubnet(address, bits, type)
  return list.check(host, type)
}
