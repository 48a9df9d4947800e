/** The URL, without a trailing slash, that reaches a listener on `address` from this machine. */
export function baseUrl(scheme: 'http' | 'https', address: string, port: number): string {
  const host = reachable[address] ?? address
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Loopback addresses to use for wildcard addresses, which not every system can connect to. */
const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
