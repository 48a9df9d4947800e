import { Unsigned } from '../values/scalars.ts'

/** A whole number of 64 bits. @throws Error for one that is too large. */
export function integer(text: string, isNegative: boolean): bigint {
  const value = isNegative ? -BigInt(text) : BigInt(text)
  if (BigInt.asIntN(64, value) !== value) throw new Error('too large')
  return value
}

/** A whole number of 64 bits without a sign. @throws Error for one that is too large. */
export function unsigned(text: string): Unsigned {
  const value = BigInt(text)
  if (BigInt.asUintN(64, value) !== value) throw new Error('too large')
  return new Unsigned(value)
}

/** A floating-point number. @throws Error for one that is too large. */
export function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Error('too large')
  return value
}
