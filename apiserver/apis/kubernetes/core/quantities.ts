import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import { compareQuantities, nanos, parseQuantity } from '../../../meta/quantity.ts'

/** Amounts as schemas have them: each is a quantity. */

/** Source: apimachinery, ValidateNonnegativeQuantity. */
export function notNegativeAmount(path: string, amount: string): FieldError[] {
  return compareAmounts(amount, '0') < 0
    ? [invalidField(path, amount, 'must be greater than or equal to 0')]
    : []
}

export function compareAmounts(a: string, b: string): number {
  const [left, right] = [parseQuantity(a), parseQuantity(b)]
  return left === undefined || right === undefined ? 0 : compareQuantities(left, right)
}

export function isWhole(amount: string): boolean {
  const { digits, exponent } = parseQuantity(amount) ?? { digits: 0n, exponent: 0 }
  return exponent >= 0 || digits % 10n ** BigInt(-exponent) === 0n
}

/** Whether an amount is some whole number of times another. */
export function isMultiple(amount: string, of: string): boolean {
  const [count, unit] = [nanosOf(amount), nanosOf(of)]
  return unit > 0n && count % unit === 0n
}

function nanosOf(amount: string): bigint {
  const quantity = parseQuantity(amount)
  return quantity === undefined ? 0n : nanos(quantity)
}

/** The warning about an amount of bytes that is no whole number. */
export function fractionWarning(path: string, amount = '0'): string[] {
  if (isWhole(amount)) return []
  return [`${path}: fractional byte value ${goQuote(amount)} is invalid, must be an integer`]
}
