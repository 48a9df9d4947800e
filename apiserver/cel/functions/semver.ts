import { read as readCost } from '../cost/actualCosts.ts'
import { read as readEstimate } from '../cost/estimates.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { Opaque } from '../values/scalars.ts'
import { quantityOrder } from './quantities.ts'
import type { FunctionTable } from './row.ts'

/** A semantic version. */
class Version extends Opaque {
  readonly typeName = 'kubernetes.Semver'
  readonly numbers: readonly bigint[]
  readonly prerelease: readonly string[]

  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    super()
    this.numbers = numbers
    this.prerelease = prerelease
  }

  equals(other: Version): boolean {
    return compared(this, other) === 0n
  }
}

const number = '(0|[1-9]\\d{0,18})'
const identifier = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][\\dA-Za-z-]*)'
const shape = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[\\dA-Za-z-]+(?:\\.[\\dA-Za-z-]+)*)?$`,
)

/** Parses a version. @throws Error for an invalid version. */
function versionOf(text: string): Version {
  const [, major, minor, patch, prerelease] = shape.exec(text) ?? []
  if (major === undefined || minor === undefined || patch === undefined)
    throw new Error(versionProblem(text))
  return new Version([BigInt(major), BigInt(minor), BigInt(patch)], prerelease?.split('.') ?? [])
}

/**
 * Reason why a string is not a version, in the wording of the API. Source: seen on kube-apiserver
 * 1.37.2.
 */
function versionProblem(text: string): string {
  if (text === '') return 'Version string empty'
  const numbers = /^([^.]*)\.([^.]*)\.([^]*)$/.exec(text)
  if (numbers === null) return 'No Major.Minor.Patch elements found'
  const [, major = '', minor = '', rest = ''] = numbers
  const [patch = ''] = rest.split(/[-+]/)
  for (const [name, part] of Object.entries({ major, minor, patch })) {
    if (part === '' || /[^0-9]/.test(part)) {
      if (name === 'patch') return `Invalid character(s) found in patch number ${goQuote(part)}`
      return `Invalid character(s) found in ${name} number ${goQuote(part)}`
    }
    const title = name.charAt(0).toUpperCase() + name.slice(1)
    if (/^0\d/.test(part)) return `${title} number must not contain leading zeroes ${goQuote(part)}`
  }
  return `Invalid character(s) found in prerelease ${goQuote(rest.slice(patch.length + 1))}`
}

/**
 * Complete version: `v1` becomes 1.0.0, and 01.2 becomes 1.2.0. @throws Error for a short version
 * that contains more than numbers.
 */
function normalized(text: string): string {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.')
  const given = [major, ...(minor === undefined ? [] : [minor])]
  const parts = rest.length === 0 ? given : [...given, rest.join('.')]
  if (parts.length < 3 && /[-+]/.test(parts.at(-1) ?? ''))
    throw new Error('short version cannot contain PreRelease/Build meta data')
  const plain = parts.map((one) => (one.length > 1 ? withoutZeros(one) : one))
  while (plain.length < 3) plain.push('0')
  return plain.join('.')
}

function withoutZeros(text: string): string {
  const rest = text.replace(/^0+/, '')
  return /^\d/.test(rest) ? rest : `0${rest}`
}

function isVersion(text: string, isLoose: boolean): boolean {
  try {
    versionOf(isLoose ? normalized(text) : text)
    return true
  } catch {
    return false
  }
}

/** Comparison: below, at or above 0. A version is greater than its prereleases. */
function compared(a: Version, b: Version): bigint {
  for (const [at, number] of a.numbers.entries()) {
    const other = b.numbers[at] ?? 0n
    if (number !== other) return number < other ? -1n : 1n
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return BigInt(Math.sign(b.prerelease.length - a.prerelease.length))
  for (const [at, one] of a.prerelease.entries()) {
    const other = b.prerelease[at]
    if (other === undefined) return 1n
    if (one !== other) return comparedParts(one, other)
  }
  return a.prerelease.length < b.prerelease.length ? -1n : 0n
}

/** Comparison of version parts: numbers precede words. */
function comparedParts(one: string, other: string): bigint {
  const [isNumber, isOther] = [/^\d+$/.test(one), /^\d+$/.test(other)]
  if (isNumber !== isOther) return isNumber ? -1n : 1n
  if (isNumber) return BigInt(one) < BigInt(other) ? -1n : 1n
  return one < other ? -1n : 1n
}

function part(at: number): (version: Version) => bigint {
  return (version) => version.numbers[at] ?? 0n
}

const read = { cost: readCost, estimate: readEstimate }
const pair = '.kubernetes.Semver,kubernetes.Semver'

/** Functions for versions. Source: Kubernetes documentation, "CEL in Kubernetes", Semver library. */
export const versions: FunctionTable = {
  semver: {
    forms: {
      'string kubernetes.Semver': versionOf,
      'string,bool kubernetes.Semver': (text: string, isLoose: boolean) =>
        versionOf(isLoose ? normalized(text) : text),
    },
    ...read,
  },
  isSemver: {
    forms: {
      'string bool': (text: string) => isVersion(text, false),
      'string,bool bool': isVersion,
    },
    ...read,
  },
  major: { forms: { '.kubernetes.Semver int': part(0) } },
  minor: { forms: { '.kubernetes.Semver int': part(1) } },
  patch: { forms: { '.kubernetes.Semver int': part(2) } },
  isGreaterThan: {
    forms: {
      ...quantityOrder.isGreaterThan,
      [`${pair} bool`]: (a: Version, b: Version) => compared(a, b) > 0n,
    },
  },
  isLessThan: {
    forms: {
      ...quantityOrder.isLessThan,
      [`${pair} bool`]: (a: Version, b: Version) => compared(a, b) < 0n,
    },
  },
  compareTo: { forms: { ...quantityOrder.compareTo, [`${pair} int`]: compared } },
}
