import { Unsigned } from '../values/scalars.ts'

/** 64-bit integer. @throws Error for one that is too large. */
export function integer(text: string, isNegative: boolean): bigint {
  const value = isNegative ? -BigInt(text) : BigInt(text)
  if (BigInt.asIntN(64, value) !== value) throw new Error('too large')
  return value
}

/** Unsigned 64-bit integer. @throws Error for one that is too large. */
export function unsigned(text: string): Unsigned {
  const value = BigInt(text)
  if (BigInt.asUintN(64, value) !== value) throw new Error('too large')
  return new Unsigned(value)
}

/** Floating-point number. @throws Error for one that is too large. */
export function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Error('too large')
  return value
}
