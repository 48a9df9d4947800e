/** The URL, without a slash at its end, by which this machine reaches a listener on `address`. */
export function baseUrl(scheme: 'http' | 'https', address: string, port: number): string {
  const host = reachable[address] ?? address
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Addresses that mean "every address" cannot be connected to everywhere. */
const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
