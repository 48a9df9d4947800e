import { largest, product, sum, wrapped, type Range } from './ranges.ts'

/**
 * Size after a replacement. The longest result has as many of the shortest matches as fit, each
 * replaced by the longest string; for the shortest result, it is the reverse.
 */
export function replacedSize(size: Range, from: Range, to: Range): Range {
  const max = replacedBound(size.max, from.min, to.max <= from.min)
  const min = replacedBound(size.min, from.max, from.max <= to.min)
  return sum(product({ min: min.count, max: max.count }, to), { min: min.kept, max: max.kept })
}

function replacedBound(
  size: bigint,
  from: bigint,
  isKept: boolean,
): { count: bigint; kept: bigint } {
  if (from === 0n) return { count: size < largest ? size + 1n : size, kept: size }
  if (isKept) return { count: 0n, kept: size }
  return { count: wrapped(BigInt(Math.ceil(Number(size) / Number(from)))), kept: 0n }
}
