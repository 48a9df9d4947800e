import { read as readCost } from '../cost/actualCosts.ts'
import { read as readEstimate } from '../cost/estimates.ts'
import { compareQuantities, parseQuantity, type Quantity } from '../../meta/quantity.ts'
import { Opaque } from '../values/scalars.ts'
import type { FunctionTable } from './row.ts'

export class QuantityValue extends Opaque {
  readonly typeName = 'kubernetes.Quantity'
  readonly quantity: Quantity

  constructor(quantity: Quantity) {
    super()
    this.quantity = quantity
  }

  equals(other: QuantityValue): boolean {
    return compared(this, other) === 0
  }
}

function compared(a: QuantityValue, b: QuantityValue): number {
  return compareQuantities(a.quantity, b.quantity)
}

/** Parses a quantity. @throws Error for an invalid quantity. */
function quantityOf(text: string): QuantityValue {
  const quantity = parseQuantity(text)
  if (quantity === undefined) {
    throw new Error(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    )
  }
  return new QuantityValue(quantity)
}

function signOf(digits: bigint): bigint {
  if (digits === 0n) return 0n
  return digits < 0n ? -1n : 1n
}

const largest = 2n ** 63n - 1n

/** Integer value; undefined: the quantity has a fraction, or needs more than 64 bits. */
function integerOf({ quantity: { digits, exponent } }: QuantityValue): bigint | undefined {
  const factor = 10n ** BigInt(Math.abs(exponent))
  if (exponent < 0 && digits % factor !== 0n) return undefined
  const value = exponent < 0 ? digits / factor : digits * factor
  return value > largest || value < -largest - 1n ? undefined : value
}

function whole(value: bigint): QuantityValue {
  return new QuantityValue({ digits: value, exponent: 0, form: 'decimal' })
}

function sum(
  { quantity: a }: QuantityValue,
  { quantity: b }: QuantityValue,
  sign: bigint,
): QuantityValue {
  const exponent = Math.min(a.exponent, b.exponent)
  const scaled = (one: Quantity) => one.digits * 10n ** BigInt(one.exponent - exponent)
  return new QuantityValue({ digits: scaled(a) + sign * scaled(b), exponent, form: a.form })
}

function integer(quantity: QuantityValue): bigint {
  const value = integerOf(quantity)
  if (value === undefined) throw new Error('cannot convert value to integer')
  return value
}

const read = { cost: readCost, estimate: readEstimate }
const pair = '.kubernetes.Quantity,kubernetes.Quantity'

/** Functions for quantities. Source: Kubernetes documentation, "CEL in Kubernetes", Quantity library. */
export const quantities: FunctionTable = {
  quantity: { forms: { 'string kubernetes.Quantity': quantityOf }, ...read },
  isQuantity: {
    forms: { 'string bool': (text: string) => parseQuantity(text) !== undefined },
    ...read,
  },
  sign: {
    forms: {
      'kubernetes.Quantity int': ({ quantity: { digits } }: QuantityValue) => signOf(digits),
    },
  },
  asApproximateFloat: {
    forms: {
      '.kubernetes.Quantity double': ({ quantity }: QuantityValue) =>
        Number(`${quantity.digits}e${quantity.exponent}`),
    },
  },
  asInteger: { forms: { '.kubernetes.Quantity int': integer } },
  isInteger: {
    forms: {
      '.kubernetes.Quantity bool': (quantity: QuantityValue) => integerOf(quantity) !== undefined,
    },
  },
  add: {
    forms: {
      [`${pair} kubernetes.Quantity`]: (a: QuantityValue, b: QuantityValue) => sum(a, b, 1n),
      '.kubernetes.Quantity,int kubernetes.Quantity': (a: QuantityValue, b: bigint) =>
        sum(a, whole(b), 1n),
    },
  },
  sub: {
    forms: {
      [`${pair} kubernetes.Quantity`]: (a: QuantityValue, b: QuantityValue) => sum(a, b, -1n),
      '.kubernetes.Quantity,int kubernetes.Quantity': (a: QuantityValue, b: bigint) =>
        sum(a, whole(b), -1n),
    },
  },
}

/** Comparison functions that quantities and versions share. */
export const quantityOrder = {
  isGreaterThan: { [`${pair} bool`]: (a: QuantityValue, b: QuantityValue) => compared(a, b) > 0 },
  isLessThan: { [`${pair} bool`]: (a: QuantityValue, b: QuantityValue) => compared(a, b) < 0 },
  compareTo: { [`${pair} int`]: (a: QuantityValue, b: QuantityValue) => BigInt(compared(a, b)) },
}
