import type { Expr } from '../syntax/expr.ts'
import { fixed, largest, union, type Range } from './ranges.ts'
import { part, type CelType } from '../types/types.ts'

/** Sizes of the keys and values of a list or map. */
export interface EntrySizes {
  container: 'list' | 'map'
  key: Range
  value: Range
}

const scalars: readonly string[] = ['bool', 'int', 'uint', 'double', 'duration', 'timestamp']

export function covering(sizes: readonly Range[]): Range {
  return sizes.reduce<Range>(union, { min: sizes.length === 0 ? 0n : largest, max: 0n })
}

export function unionOf(
  a: EntrySizes | undefined,
  b: EntrySizes | undefined,
): EntrySizes | undefined {
  if (a === undefined || b === undefined) return undefined
  return { ...a, key: union(a.key, b.key), value: union(a.value, b.value) }
}

export function isScalar(type: CelType): boolean {
  return scalars.includes(type.kind) || (type.kind === 'optional' && isScalar(part(type, 0)))
}

/** Size of a literal: characters, bytes, items or entries. */
export function literalSize(expr: Expr): Range | undefined {
  if (expr.is === 'list') return fixed(expr.items.length)
  if (expr.is === 'map') return fixed(expr.entries.length)
  if (expr.is !== 'literal') return undefined
  if (typeof expr.value === 'string') return fixed([...expr.value].length)
  return fixed(expr.value instanceof Uint8Array ? expr.value.length : 1)
}
