/** Whether an address is plain HTTP of this machine, which nobody else can listen to. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined || !URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
