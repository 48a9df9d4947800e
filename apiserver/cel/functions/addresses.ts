import type { Environment } from '@marcbachmann/cel-js'
import { isIP } from '../../registry/formats/ipFormats.ts'
import { registerHandlers } from './handlers.ts'

/** An address: its value as one number. */
class Address {
  readonly family: 4 | 6
  readonly value: bigint

  constructor(family: 4 | 6, value: bigint) {
    this.family = family
    this.value = value
  }

  get bits(): number {
    return this.family === 4 ? 32 : 128
  }

  /** Whether its first bits are those of `prefix`, of which it names all that count. */
  startsWith(prefix: bigint, length: number): boolean {
    return this.value >> BigInt(this.bits - length) === prefix
  }

  /** In the one form that RFC 5952 asks for. */
  toString(): string {
    return this.family === 4 ? dotted(this.value) : coloned(this.value)
  }
}

/** A range of addresses: one of them, and how many of its bits they share. */
class AddressRange {
  readonly address: Address
  readonly length: number

  constructor(address: Address, length: number) {
    this.address = address
    this.length = length
  }

  contains(other: Address): boolean {
    if (other.family !== this.address.family) return false
    return other.startsWith(this.address.value >> BigInt(other.bits - this.length), this.length)
  }

  covers(other: AddressRange): boolean {
    return other.length >= this.length && this.contains(other.address)
  }

  masked(): AddressRange {
    const { family, value, bits } = this.address
    const rest = BigInt(bits - this.length)
    return new AddressRange(new Address(family, (value >> rest) << rest), this.length)
  }

  toString(): string {
    return `${this.address.toString()}/${this.length}`
  }
}

class AddressNamespace {}

/** The bytes of an address, or of what the addresses of a range share; undefined: the value is neither. */
export function addressBytes(value: object): number | undefined {
  if (value instanceof Address) return value.bits / 8
  return value instanceof AddressRange ? Math.ceil(value.length / 8) : undefined
}

/** Source: Kubernetes documentation, "CEL in Kubernetes", IP address and CIDR libraries. */
export function registerAddresses(environment: Environment): void {
  environment.registerType('net.IP', Address)
  environment.registerType('net.CIDR', AddressRange)
  environment.registerType('IPNamespace', AddressNamespace)
  environment.registerConstant('ip', 'IPNamespace', new AddressNamespace())
  registerHandlers(environment, {
    'ip(string): net.IP': addressOf,
    'isIP(string): bool': (text: string) => isParsed(() => addressOf(text)),
    'IPNamespace.isCanonical(string): bool': (_of: unknown, text: string) =>
      addressOf(text).toString() === text,
    'string(net.IP): string': String,
    'net.IP.family(): int': ({ family }: Address) => BigInt(family),
    'net.IP.isUnspecified(): bool': ({ value }: Address) => value === 0n,
    'net.IP.isLoopback(): bool': isLoopback,
    'net.IP.isLinkLocalMulticast(): bool': isLinkLocalMulticast,
    'net.IP.isLinkLocalUnicast(): bool': isLinkLocalUnicast,
    'net.IP.isGlobalUnicast(): bool': isGlobalUnicast,
    'cidr(string): net.CIDR': rangeOf,
    'isCIDR(string): bool': (text: string) => isParsed(() => rangeOf(text)),
    'string(net.CIDR): string': String,
    'net.CIDR.containsIP(net.IP): bool': (range: AddressRange, other: Address) =>
      range.contains(other),
    'net.CIDR.containsIP(string): bool': (range: AddressRange, other: string) =>
      range.contains(addressOf(other)),
    'net.CIDR.containsCIDR(net.CIDR): bool': (range: AddressRange, other: AddressRange) =>
      range.covers(other),
    'net.CIDR.containsCIDR(string): bool': (range: AddressRange, other: string) =>
      range.covers(rangeOf(other)),
    'net.CIDR.ip(): net.IP': ({ address }: AddressRange) => address,
    'net.CIDR.masked(): net.CIDR': (range: AddressRange) => range.masked(),
    'net.CIDR.prefixLength(): int': ({ length }: AddressRange) => BigInt(length),
  })
  const isSame = (a: unknown, b: unknown) => String(a) === String(b)
  environment.registerOperator('net.IP == net.IP', isSame)
  environment.registerOperator('net.CIDR == net.CIDR', isSame)
}

function isParsed(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch {
    return false
  }
}

/** @throws Error for what is no address, and for an IPv4 address in the form of IPv6. */
function addressOf(text: string): Address {
  if (!isIP(text)) {
    throw new Error(`IP Address ${JSON.stringify(text)} parse error during conversion from string`)
  }
  if (!text.includes(':')) return new Address(4, numberOf(text.split('.'), 10, 8n))
  const value = numberOf(groupsOf(text), 16, 16n)
  if (value >> 32n === 0xffffn)
    throw new Error(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`)
  return new Address(6, value)
}

/** Eight groups, of a text that is known to be an IPv6 address. */
function groupsOf(text: string): string[] {
  const plain = text.replace(/[^:]+\.[^:]+$/, (tail) => {
    const value = numberOf(tail.split('.'), 10, 8n)
    return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`
  })
  const [head = [], tail] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  if (tail === undefined) return head
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}

function numberOf(parts: readonly string[], base: number, bits: bigint): bigint {
  return parts.reduce((sum, part) => (sum << bits) | BigInt(Number.parseInt(part, base)), 0n)
}

/** @throws Error for what is no range. */
function rangeOf(text: string): AddressRange {
  const [, address = '', length = ''] = /^([^/]*)\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  const found = isIP(address) ? addressOf(address) : undefined
  if (found === undefined || Number(length) > found.bits) {
    throw new Error(
      `network address parse error during conversion from string: ${JSON.stringify(text)}`,
    )
  }
  return new AddressRange(found, Number(length))
}

function isLoopback(address: Address): boolean {
  return address.family === 4 ? address.startsWith(127n, 8) : address.value === 1n
}

function isLinkLocalMulticast(address: Address): boolean {
  if (address.family === 4) return address.startsWith(0xe00000n, 24)
  return address.startsWith(0xffn, 8) && ((address.value >> 112n) & 0xfn) === 2n
}

function isLinkLocalUnicast(address: Address): boolean {
  return address.family === 4 ? address.startsWith(0xa9fen, 16) : address.startsWith(0x3fan, 10)
}

function isGlobalUnicast(address: Address): boolean {
  const isMulticast =
    address.family === 4 ? address.startsWith(0xen, 4) : address.startsWith(0xffn, 8)
  const isBroadcast = address.family === 4 && address.value === 0xffffffffn
  if (isMulticast || isBroadcast || address.value === 0n) return false
  return !isLoopback(address) && !isLinkLocalUnicast(address)
}

function dotted(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
}

/** The longest row of two zeros or more is left out, the first of equals. */
function coloned(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) => (value >> BigInt(112 - 16 * at)) & 0xffffn)
  const text = groups.map((group) => group.toString(16)).join(':')
  const rows = text.match(/\b0(?::0)+\b/g) ?? []
  const longest = rows.reduce((best, row) => (row.length > best.length ? row : best), '')
  if (longest === '') return text
  const at = text.search(new RegExp(`\\b${longest}\\b`))
  const [before, after] = [text.slice(0, at), text.slice(at + longest.length)]
  return `${before.replace(/:$/, '')}::${after.replace(/^:/, '')}`
}
