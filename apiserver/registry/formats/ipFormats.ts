/**
 * Notation of numbers. Old stored objects have leading zeros, so formats older than the strict notation still accept
 * them.
 */
interface Reading {
  byte: RegExp
  group: RegExp
}

const strict: Reading = { byte: /^(?:0|[1-9]\d{0,2})$/, group: /^[0-9a-f]{1,4}$/i }
const lenient: Reading = { byte: /^\d+$/, group: /^0*[0-9a-f]{1,4}$/i }

/**
 * Reports whether a string is an IPv4 address, or an IPv6 address that ends in one. Source: Kubernetes, format `ipv4`;
 * Go, net.ParseIP before 1.17.
 */
export function isIPv4(text: string): boolean {
  if (!text.includes('.')) return false
  const first = /[.:]/.exec(text)?.[0]
  return first === '.' ? isDotted(text, lenient) : isColoned(text, lenient)
}

/** Reports whether a string is an IPv6 address. Source: Kubernetes, format `ipv6`; Go, net.ParseIP. */
export function isIPv6(text: string): boolean {
  return text.includes(':') && isColoned(text, strict)
}

/** Reports whether a string is an IP network. Source: Kubernetes, format `cidr`; Go, net.ParseCIDR before 1.17. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf('/')
  const bits = text.slice(slash + 1)
  if (slash < 0 || !/^\d+$/.test(bits)) return false
  const address = text.slice(0, slash)
  if (isDotted(address, lenient)) return Number(bits) <= 32
  return isColoned(address, lenient) && Number(bits) <= 128
}

/** Reports whether a string is an IPv4 or IPv6 address without a zone. Source: Go, net.ParseIP. */
export function isIP(text: string): boolean {
  return isDotted(text, strict) || isColoned(text, strict)
}

/**
 * Reports whether a string is a MAC address of 6, 8 or 20 bytes: separated by colons or dashes, or in pairs by dots.
 * Source: Go, net.ParseMAC.
 */
export function isMac(text: string): boolean {
  return macs.some((pattern) => pattern.test(text))
}

const macs = [5, 7, 19].flatMap((more) => [
  new RegExp(`^[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\\1[0-9a-f]{2}){${more - 1}}$`, 'i'),
  new RegExp(`^[0-9a-f]{4}(?:\\.[0-9a-f]{4}){${(more - 1) / 2}}$`, 'i'),
])

function isDotted(text: string, { byte }: Reading): boolean {
  const parts = text.split('.', 5)
  return parts.length === 4 && parts.every((part) => byte.test(part) && Number(part) <= 255)
}

/** Reports whether a string is an IPv6 address; `::` occurs once, for one or more groups. */
function isColoned(text: string, reading: Reading): boolean {
  const [head = '', tail, more] = text.split('::', 3)
  if (more !== undefined) return false
  if (tail === undefined) return groupsOf(head, reading, true) === 8
  const count = groupsOf(head, reading, false) + groupsOf(tail, reading, true)
  return count <= 7
}

/** The number of groups; NaN: malformed. An IPv4 address at the end counts as two. */
function groupsOf(text: string, reading: Reading, isEnd: boolean): number {
  if (text === '') return 0
  const groups = text.split(':', 9)
  const last = groups.at(-1) ?? ''
  const endsDotted = isEnd && isDotted(last, reading)
  const plain = endsDotted ? groups.slice(0, -1) : groups
  if (!plain.every((group) => reading.group.test(group))) return Number.NaN
  return groups.length + (endsDotted ? 1 : 0)
}
