import { Unsigned } from '../values/scalars.ts'

/** 64-bit integer. @throws Error if it is out of range. */
export function integer(text: string, isNegative: boolean): bigint {
  const value = isNegative ? -BigInt(text) : BigInt(text)
  if (BigInt.asIntN(64, value) !== value) throw new Error('too large')
  return value
}

/** Unsigned 64-bit integer. @throws Error if it is out of range. */
export function unsigned(text: string): Unsigned {
  const value = BigInt(text)
  if (BigInt.asUintN(64, value) !== value) throw new Error('too large')
  return new Unsigned(value)
}

/** Floating-point number. @throws Error if it is out of range. */
export function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Error('too large')
  return value
}
