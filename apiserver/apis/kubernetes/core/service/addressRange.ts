import { isIP } from 'node:net'

/** An address with the length of its prefix: `10.9.8.0/24`. */
export function isAddressRange(text: string): boolean {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const most = isIP(address) === 4 ? 32 : 128
  return isIP(address) !== 0 && Number(bits) <= most && String(Number(bits)) === bits
}
