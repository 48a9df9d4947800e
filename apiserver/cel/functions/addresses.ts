import * as costs from '../cost/actualCosts.ts'
import * as estimates from '../cost/estimates.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { addressProblem } from '../../registry/formats/goAddress.ts'
import { isIP } from '../../registry/formats/ipFormats.ts'
import { Opaque } from '../values/scalars.ts'
import type { FunctionTable } from './row.ts'

/** IP address as a single number. */
class Address extends Opaque {
  readonly typeName = 'net.IP'
  readonly family: 4 | 6
  readonly value: bigint

  constructor(family: 4 | 6, value: bigint) {
    super()
    this.family = family
    this.value = value
  }

  override get size(): number {
    return this.bits / 8
  }

  equals(other: Address): boolean {
    return this.toString() === other.toString()
  }

  get bits(): number {
    return this.family === 4 ? 32 : 128
  }

  /** Reports whether the address begins with `length` bits of `prefix`. */
  startsWith(prefix: bigint, length: number): boolean {
    return this.value >> BigInt(this.bits - length) === prefix
  }

  /** Canonical form according to RFC 5952. */
  override toString(): string {
    return this.family === 4 ? dotted(this.value) : coloned(this.value)
  }
}

/** Range of addresses: an address and the length of the common prefix. */
class AddressRange extends Opaque {
  readonly typeName = 'net.CIDR'
  readonly address: Address
  readonly length: number

  constructor(address: Address, length: number) {
    super()
    this.address = address
    this.length = length
  }

  override get size(): number {
    return Math.ceil(this.length / 8)
  }

  equals(other: AddressRange): boolean {
    return this.toString() === other.toString()
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

  override toString(): string {
    return `${this.address.toString()}/${this.length}`
  }
}

function isParsed(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch {
    return false
  }
}

/**
 * Parses an address. @throws Error for an invalid address, and for an IPv4 address in IPv6
 * notation.
 */
function addressOf(text: string): Address {
  if (!isIP(text)) {
    const why = addressProblem(text) ?? `ParseAddr(${goQuote(text)}): unable to parse IP`
    throw new Error(`IP Address ${goQuote(text)} parse error during conversion from string: ${why}`)
  }
  if (!text.includes(':')) return new Address(4, numberOf(text.split('.'), 10, 8n))
  const value = numberOf(groupsOf(text), 16, 16n)
  if (value >> 32n === 0xffffn)
    throw new Error(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`)
  return new Address(6, value)
}

/** Eight groups of a valid IPv6 address. */
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

/** Parses a range. @throws Error for an invalid range. */
function rangeOf(text: string): AddressRange {
  const [, address = '', length = ''] = /^([^/]*)\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  const found = isIP(address) ? addressOf(address) : undefined
  if (found === undefined || Number(length) > found.bits) {
    const why = `netip.ParsePrefix(${goQuote(text)}): ${rangeProblem(text)}`
    const words = 'network address parse error during conversion from string'
    throw new Error(`${words}: ${words}: ${why}`)
  }
  return new AddressRange(found, Number(length))
}

/** Reason why a string is not a range of addresses, worded like Go's `netip.ParsePrefix`. */
function rangeProblem(text: string): string {
  const at = text.lastIndexOf('/')
  if (at < 0) return "no '/'"
  const address = text.slice(0, at)
  const length = text.slice(at + 1)
  if (!isIP(address)) return addressProblem(address) ?? 'unable to parse IP'
  if (!/^(?:0|[1-9]\d*)$/.test(length)) return `bad bits after slash: ${goQuote(length)}`
  return 'prefix length out of range'
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

/**
 * IPv6 notation in which `::` replaces the longest run of two or more zeros, or the first of
 * equally long runs.
 */
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

const read = { cost: costs.read, estimate: estimates.read }

/** Functions for addresses. Source: Kubernetes documentation, "CEL in Kubernetes", IP address and CIDR libraries. */
export const addresses: FunctionTable = {
  ip: {
    forms: {
      'string net.IP': { run: addressOf, cost: costs.read, estimate: estimates.read },
      '.net.CIDR net.IP #ipOfRange': ({ address }: AddressRange) => address,
    },
  },
  isIP: { forms: { 'string bool': (text: string) => isParsed(() => addressOf(text)) }, ...read },
  'ip.isCanonical': {
    forms: { 'string bool': (text: string) => addressOf(text).toString() === text },
    cost: costs.readTwice,
    estimate: estimates.readTwice,
  },
  family: { forms: { '.net.IP int': ({ family }: Address) => BigInt(family) } },
  isUnspecified: { forms: { '.net.IP bool': ({ value }: Address) => value === 0n } },
  isLoopback: { forms: { '.net.IP bool': isLoopback } },
  isLinkLocalMulticast: { forms: { '.net.IP bool': isLinkLocalMulticast } },
  isLinkLocalUnicast: { forms: { '.net.IP bool': isLinkLocalUnicast } },
  isGlobalUnicast: { forms: { '.net.IP bool': isGlobalUnicast } },
  cidr: { forms: { 'string net.CIDR': rangeOf }, ...read },
  isCIDR: { forms: { 'string bool': (text: string) => isParsed(() => rangeOf(text)) }, ...read },
  containsIP: {
    forms: {
      '.net.CIDR,string bool #containsText': (range: AddressRange, other: string) =>
        range.contains(addressOf(other)),
      '.net.CIDR,net.IP bool': (range: AddressRange, other: Address) => range.contains(other),
    },
    cost: costs.addressContained,
    estimate: estimates.addressContained,
  },
  containsCIDR: {
    forms: {
      '.net.CIDR,string bool #containsText': (range: AddressRange, other: string) =>
        range.covers(rangeOf(other)),
      '.net.CIDR,net.CIDR bool': (range: AddressRange, other: AddressRange) => range.covers(other),
    },
    cost: costs.rangeContained,
    estimate: estimates.rangeContained,
  },
  prefixLength: { forms: { '.net.CIDR int': ({ length }: AddressRange) => BigInt(length) } },
  masked: { forms: { '.net.CIDR net.CIDR': (range: AddressRange) => range.masked() } },
}
