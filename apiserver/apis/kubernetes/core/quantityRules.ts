import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import { compareQuantities, nanos, parseQuantity } from '../../../meta/quantity.ts'

/** Errors for a negative quantity. Source: apimachinery, ValidateNonnegativeQuantity. */
export function nonnegativeQuantity(path: string, quantity: string): FieldError[] {
  return compareQuantityStrings(quantity, '0') < 0
    ? [invalidField(path, quantity, 'must be greater than or equal to 0')]
    : []
}

export function compareQuantityStrings(a: string, b: string): number {
  const [left, right] = [parseQuantity(a), parseQuantity(b)]
  return left === undefined || right === undefined ? 0 : compareQuantities(left, right)
}

export function isWhole(quantity: string): boolean {
  const { digits, exponent } = parseQuantity(quantity) ?? { digits: 0n, exponent: 0 }
  return exponent >= 0 || digits % 10n ** BigInt(-exponent) === 0n
}

/** Reports whether a quantity is a multiple of another. */
export function isMultiple(quantity: string, of: string): boolean {
  const [count, unit] = [nanosOf(quantity), nanosOf(of)]
  return unit > 0n && count % unit === 0n
}

function nanosOf(quantity: string): bigint {
  const parsed = parseQuantity(quantity)
  return parsed === undefined ? 0n : nanos(parsed)
}

/** Warning about a number of bytes with a fraction. */
export function fractionWarning(path: string, quantity = '0'): string[] {
  if (isWhole(quantity)) return []
  return [`${path}: fractional byte value ${goQuote(quantity)} is invalid, must be an integer`]
}
