import type { Environment } from '@marcbachmann/cel-js'
import { compareQuantities, parseQuantity, type Quantity } from '../../meta/quantity.ts'
import { registerHandlers } from './handlers.ts'

class Amount {
  readonly quantity: Quantity

  constructor(quantity: Quantity) {
    this.quantity = quantity
  }
}

/** Source: Kubernetes documentation, "CEL in Kubernetes", Quantity library. */
export function registerQuantities(environment: Environment): void {
  environment.registerType('kubernetes.Quantity', Amount)
  const compared = (a: Amount, b: Amount) => compareQuantities(a.quantity, b.quantity)
  registerHandlers(environment, {
    'quantity(string): kubernetes.Quantity': amountOf,
    'isQuantity(string): bool': (text: string) => parseQuantity(text) !== undefined,
    'sign(kubernetes.Quantity): int': ({ quantity: { digits } }: Amount) => signOf(digits),
    'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool': (a: Amount, b: Amount) =>
      compared(a, b) > 0,
    'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool': (a: Amount, b: Amount) =>
      compared(a, b) < 0,
    'kubernetes.Quantity.compareTo(kubernetes.Quantity): int': (a: Amount, b: Amount) =>
      BigInt(compared(a, b)),
    'kubernetes.Quantity.asApproximateFloat(): double': ({ quantity }: Amount) =>
      Number(`${quantity.digits}e${quantity.exponent}`),
    'kubernetes.Quantity.isInteger(): bool': (amount: Amount) => integerOf(amount) !== undefined,
    'kubernetes.Quantity.asInteger(): int': (amount: Amount) => {
      const value = integerOf(amount)
      if (value === undefined) throw new Error('cannot convert value to integer')
      return value
    },
    'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity': (a: Amount, b: Amount) =>
      sum(a, b, 1n),
    'kubernetes.Quantity.add(int): kubernetes.Quantity': (a: Amount, b: bigint) =>
      sum(a, whole(b), 1n),
    'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity': (a: Amount, b: Amount) =>
      sum(a, b, -1n),
    'kubernetes.Quantity.sub(int): kubernetes.Quantity': (a: Amount, b: bigint) =>
      sum(a, whole(b), -1n),
  })
  environment.registerOperator(
    'kubernetes.Quantity == kubernetes.Quantity',
    (a: Amount, b: Amount) => compared(a, b) === 0,
  )
}

/** @throws Error for what is no quantity. */
function amountOf(text: string): Amount {
  const quantity = parseQuantity(text)
  if (quantity === undefined) {
    throw new Error(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    )
  }
  return new Amount(quantity)
}

function signOf(digits: bigint): bigint {
  if (digits === 0n) return 0n
  return digits < 0n ? -1n : 1n
}

const largest = 2n ** 63n - 1n

/** undefined: it has a fraction, or more than 64 bits. */
function integerOf({ quantity: { digits, exponent } }: Amount): bigint | undefined {
  const factor = 10n ** BigInt(Math.abs(exponent))
  if (exponent < 0 && digits % factor !== 0n) return undefined
  const value = exponent < 0 ? digits / factor : digits * factor
  return value > largest || value < -largest - 1n ? undefined : value
}

function whole(value: bigint): Amount {
  return new Amount({ digits: value, exponent: 0, form: 'decimal' })
}

function sum({ quantity: a }: Amount, { quantity: b }: Amount, sign: bigint): Amount {
  const exponent = Math.min(a.exponent, b.exponent)
  const scaled = (one: Quantity) => one.digits * 10n ** BigInt(one.exponent - exponent)
  return new Amount({ digits: scaled(a) + sign * scaled(b), exponent, form: a.form })
}
