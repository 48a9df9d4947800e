/** IP address as a number of `width` bits. */
export interface IpAddress {
  value: bigint
  width: 32 | 128
  /** True for the IPv6 form of an IPv4 address (`::ffff:1.2.3.4`), which counts as that IPv4 address. */
  isMapped: boolean
  /** True if a byte of the dotted form has leading zeros. */
  hasLeadingZeros: boolean
}

const mappedPrefix = 0xffffn << 32n

/**
 * Parses an address in the lenient form of stored objects, in which dotted bytes may have leading zeros; undefined:
 * invalid.
 * Source: k8s.io/utils, ParseIPSloppy.
 */
export function parseAddress(text: string): IpAddress | undefined {
  return text.includes(':') ? parseGroups(text) : parseDotted(text)
}

function parseDotted(text: string): IpAddress | undefined {
  const parts = text.split('.', 5)
  const isAddress = parts.length === 4 && parts.every((part) => /^\d+$/.test(part) && +part <= 255)
  if (!isAddress) return undefined
  const value = parts.reduce((sum, part) => (sum << 8n) + BigInt(part), 0n)
  return {
    value,
    width: 32,
    isMapped: false,
    hasLeadingZeros: parts.some((one) => /^0./.test(one)),
  }
}

function parseGroups(text: string): IpAddress | undefined {
  const dotted = text.includes('.') ? parseDotted(text.slice(text.lastIndexOf(':') + 1)) : undefined
  const groups = text.includes('.') && dotted === undefined ? undefined : allGroups(text, dotted)
  if (groups === undefined) return undefined
  const value = groups.reduce((sum, group) => (sum << 16n) + group, 0n)
  const hasLeadingZeros = dotted?.hasLeadingZeros === true
  if (value >> 32n !== 0xffffn) return { value, width: 128, isMapped: false, hasLeadingZeros }
  return { value: value - mappedPrefix, width: 32, isMapped: true, hasLeadingZeros }
}

/** Eight groups of an IPv6 address; `::` may occur once, for one or more groups of zeros. */
function allGroups(text: string, dotted: IpAddress | undefined): bigint[] | undefined {
  const [head = '', tail, more] = text.split('::', 3)
  if (more !== undefined) return undefined
  if (tail === undefined) {
    const groups = groupsOf(head, dotted)
    return groups?.length === 8 ? groups : undefined
  }
  const [before, after] = [groupsOf(head, undefined), groupsOf(tail, dotted)]
  if (before === undefined || after === undefined) return undefined
  const missing = 8 - before.length - after.length
  if (missing < 1) return undefined
  return [...before, ...Array.from({ length: missing }, () => 0n), ...after]
}

/** Groups of a part; a dotted address at the end counts as two groups. */
function groupsOf(text: string, dotted: IpAddress | undefined): bigint[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  const plain = dotted === undefined ? groups : groups.slice(0, -1)
  if (!plain.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  const end = dotted === undefined ? [] : [dotted.value >> 16n, dotted.value & 0xffffn]
  return [...plain.map((group) => BigInt(`0x${group}`)), ...end]
}

/** Canonical form of an address: dotted for IPv4, RFC 5952 for IPv6. Source: Go, net.IP.String. */
export function addressText({ value, width }: Pick<IpAddress, 'value' | 'width'>): string {
  if (width === 32) {
    return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.')
  }
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
  )
  const [start, length] = longestZeros(groups)
  if (length < 2) return groups.join(':')
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`
}

function longestZeros(groups: readonly string[]): [start: number, length: number] {
  let best: [number, number] = [0, 0]
  for (let start = 0; start < groups.length; start++) {
    let end = start
    while (groups[end] === '0') end++
    if (end - start > best[1]) best = [start, end - start]
  }
  return best
}

/** Range of addresses, such as `10.9.8.0/24`. */
export interface IpRange {
  /** Address before the slash, which may have bits beyond the prefix. */
  address: IpAddress
  /** Length of the prefix in bits, counted in the width of `address`. */
  prefix: number
  /** True if the address or the prefix has leading zeros. */
  hasLeadingZeros: boolean
}

/** Parses a range; undefined: invalid. Source: k8s.io/utils, ParseCIDRSloppy. */
export function parseRange(text: string): IpRange | undefined {
  const slash = text.indexOf('/')
  const bits = text.slice(slash + 1)
  const address = slash < 0 ? undefined : parseAddress(text.slice(0, slash))
  if (address === undefined || !/^\d+$/.test(bits)) return undefined
  const given = Number(bits)
  if (given > (address.isMapped ? 128 : address.width)) return undefined
  const hasLeadingZeros = address.hasLeadingZeros || /^0./.test(bits)
  return { address, prefix: address.isMapped ? given - 96 : given, hasLeadingZeros }
}

export function firstAddress({ address: { value, width }, prefix }: IpRange): bigint {
  const rest = BigInt(width - Math.max(prefix, 0))
  return (value >> rest) << rest
}

export function rangeText(range: IpRange): string {
  const { width } = range.address
  return `${addressText({ value: firstAddress(range), width })}/${range.prefix}`
}

/** Reports whether `inner` is a proper part of `outer`. */
export function isWithin(inner: IpRange, outer: IpRange): boolean {
  const { width } = outer.address
  if (inner.address.width !== width || outer.prefix >= inner.prefix) return false
  const shift = BigInt(width - outer.prefix)
  return firstAddress(inner) >> shift === firstAddress(outer) >> shift
}
