import { invalidField, type FieldError } from '../meta/fieldErrors.ts'
import {
  addressText,
  firstAddress,
  parseAddress,
  parseRange,
  rangeText,
  type IpAddress,
} from '../meta/ipAddress.ts'

/**
 * Checks and warnings for IP addresses and ranges. Source: apimachinery, util/validation, ip.go; seen on kube-apiserver
 * 1.37.2.
 */

const addressDetail = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const rangeDetail = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'

/**
 * Errors for an address in a field that formerly accepted lenient forms; addresses in `kept`, which
 * are already stored, stay valid.
 */
export function address(path: string, value: string, kept: readonly string[] = []): FieldError[] {
  if (kept.includes(value)) return []
  const parsed = parseAddress(value)
  if (parsed === undefined) return [invalidField(path, value, addressDetail)]
  return [
    ...(parsed.hasLeadingZeros ? [invalidField(path, value, 'must not have leading 0s')] : []),
    ...(parsed.isMapped && !parsed.hasLeadingZeros
      ? [invalidField(path, value, 'must not be an IPv4-mapped IPv6 address')]
      : []),
  ]
}

/** Errors for an address that is not in canonical form. */
export function canonicalAddress(path: string, value: string): FieldError[] {
  const errors = address(path, value)
  const parsed = parseAddress(value)
  if (errors.length > 0 || parsed === undefined) return errors
  const text = addressText(parsed)
  return text === value ? [] : [invalidField(path, value, `must be in canonical form ("${text}")`)]
}

/**
 * Errors for a range in a field that formerly accepted lenient forms; ranges in `kept`, which are
 * already stored, stay valid.
 */
export function addressRange(
  path: string,
  value: string,
  kept: readonly string[] = [],
): FieldError[] {
  if (kept.includes(value)) return []
  const range = parseRange(value)
  if (range === undefined) return [invalidField(path, value, rangeDetail)]
  if (range.hasLeadingZeros) {
    return [invalidField(path, value, 'must not have leading 0s in IP or prefix length')]
  }
  if (range.address.isMapped) {
    return [invalidField(path, value, 'must not have an IPv4-mapped IPv6 address')]
  }
  if (range.address.value === firstAddress(range)) return []
  return [invalidField(path, value, 'must not have bits set beyond the prefix length')]
}

/** Warnings about a valid address that is not in canonical form. */
export function addressWarnings(path: string, value: string): string[] {
  const parsed = parseAddress(value)
  if (parsed === undefined) return []
  const text = addressText(parsed)
  if (parsed.hasLeadingZeros || parsed.isMapped) {
    return [`${path}: non-standard IP address "${value}" is invalid: use "${text}"`]
  }
  if (parsed.width === 32 || text === value) return []
  return [`${path}: IPv6 address "${value}" should be in RFC 5952 canonical format ("${text}")`]
}

/** Warnings about a valid range that is not in canonical form. */
export function rangeWarnings(path: string, value: string): string[] {
  const range = parseRange(value)
  if (range === undefined) return []
  const text = rangeText(range)
  const { address: parsed } = range
  const alone = `${addressText(parsed)}/${parsed.width}`
  const warnings = [
    ...(parsed.value === firstAddress(range)
      ? []
      : [
          `${path}: CIDR value "${value}" is ambiguous in this context (should be "${text}" or "${alone}"?)`,
        ]),
    ...(range.hasLeadingZeros || parsed.isMapped
      ? [`${path}: non-standard CIDR value "${value}" is invalid: use "${text}"`]
      : []),
  ]
  if (warnings.length > 0 || parsed.width === 32 || text === value) return warnings
  return [`${path}: IPv6 CIDR value "${value}" should be in RFC 5952 canonical format ("${text}")`]
}

/** Errors about an address that does not name another machine. */
export function endpointAddress(path: string, value: string): FieldError[] {
  const parsed = parseAddress(value)
  if (parsed === undefined) return [invalidField(path, value, 'must be a valid IP address')]
  return specialRanges
    .filter(({ holds }) => holds(parsed))
    .map(({ detail }) => invalidField(path, value, detail.replace('%s', value)))
}

const startsWith =
  (dotted: number, bits: number, groups: bigint, groupBits: number) =>
  ({ value, width }: IpAddress): boolean =>
    width === 32
      ? value >> BigInt(32 - bits) === BigInt(dotted)
      : value >> BigInt(128 - groupBits) === groups

const specialRanges = [
  { holds: ({ value }: IpAddress) => value === 0n, detail: 'may not be unspecified (%s)' },
  {
    holds: startsWith(127, 8, 1n, 128),
    detail: 'may not be in the loopback range (127.0.0.0/8, ::1/128)',
  },
  {
    holds: startsWith(0xa9fe, 16, 0xfe80n >> 6n, 10),
    detail: 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  },
  {
    holds: ({ value, width }: IpAddress) =>
      width === 32
        ? value >> 8n === 0xe00000n
        : value >> 120n === 0xffn && ((value >> 112n) & 0xfn) === 2n,
    detail: 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  },
] as const
