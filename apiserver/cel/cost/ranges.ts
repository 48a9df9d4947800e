/**
 * Minimum and maximum of a size or a cost, as 64-bit integers. The largest integer means "unknown".
 */
export interface Range {
  readonly min: bigint
  readonly max: bigint
}

export const largest = 2n ** 64n - 1n

export const unknownRange: Range = { min: 0n, max: largest }

export function fixed(value: bigint | number): Range {
  const exact = BigInt(value)
  return { min: exact, max: exact }
}

function within(value: bigint): bigint {
  return value > largest ? largest : value
}

export function sum(...ranges: readonly Range[]): Range {
  let [min, max] = [0n, 0n]
  for (const range of ranges) {
    min += range.min
    max += range.max
  }
  return { min: within(min), max: within(max) }
}

export function product(a: Range, b: Range): Range {
  return { min: within(a.min * b.min), max: within(a.max * b.max) }
}

/** Range times a factor, rounded up. */
export function scaled({ min, max }: Range, factor: number): Range {
  return { min: scaledValue(min, factor), max: scaledValue(max, factor) }
}

function scaledValue(value: bigint, factor: number): bigint {
  const made = Math.ceil(Number(value) * factor)
  return made >= 2 ** 64 ? largest : BigInt(made)
}

/** Smallest range that includes both. */
export function union(a: Range, b: Range): Range {
  return { min: a.min < b.min ? a.min : b.min, max: a.max > b.max ? a.max : b.max }
}

/** Unchecked 64-bit number; a number that is too large wraps around to 0. */
export function wrapped(value: bigint): bigint {
  return BigInt.asUintN(64, value)
}
