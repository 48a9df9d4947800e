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

/** @throws Error for what is no version. */
function versionOf(text: string): Version {
  const [, major, minor, patch, prerelease] = shape.exec(text) ?? []
  if (major === undefined || minor === undefined || patch === undefined)
    throw new Error(`Invalid semantic version ${goQuote(text)}`)
  return new Version([BigInt(major), BigInt(minor), BigInt(patch)], prerelease?.split('.') ?? [])
}

/** `v1` is 1.0.0, and 01.2 is 1.2.0. */
function normalized(text: string): string {
  const [, numbers = '', rest = ''] = /^v?([^-+]*)(.*)$/s.exec(text) ?? []
  const parts = numbers.split('.').map((one) => one.replace(/^0+(?=\d)/, ''))
  if (parts.length < 3 && rest !== '') return text
  while (parts.length < 3) parts.push('0')
  return `${parts.join('.')}${rest}`
}

/** Below, at or above 0. A version comes after all that lead up to it. */
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

/** Numbers come before words. */
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

/** Source: Kubernetes documentation, "CEL in Kubernetes", Semver library. */
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
      'string bool': (text: string) => shape.test(text),
      'string,bool bool': (text: string, isLoose: boolean) =>
        shape.test(isLoose ? normalized(text) : text),
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
