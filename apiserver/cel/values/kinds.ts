import type { CelType } from '../types/types.ts'
import { itemsOf } from './lists.ts'
import { isMapping } from './mapping.ts'
import { StructValue } from './structValue.ts'
import { Duration, Opaque, Optional, Timestamp, TypeValue, Unsigned } from './scalars.ts'

/** Name of a value's runtime type, without the types of items and entries. */
export function typeNameOf(value: unknown): string {
  if (value === null) return 'null_type'
  const simple = simpleNames[typeof value]
  if (simple !== undefined) return simple
  if (value instanceof Opaque || value instanceof StructValue) return value.typeName
  if (itemsOf(value) !== undefined) return 'list'
  return classNames.find(([of]) => value instanceof of)?.[1] ?? (isMapping(value) ? 'map' : 'dyn')
}

const simpleNames: Readonly<Record<string, string>> = {
  boolean: 'bool',
  bigint: 'int',
  number: 'double',
  string: 'string',
}

const classNames = [
  [Unsigned, 'uint'],
  [Uint8Array, 'bytes'],
  [Timestamp, 'google.protobuf.Timestamp'],
  [Duration, 'google.protobuf.Duration'],
  [Optional, 'optional_type'],
  [TypeValue, 'type'],
] as const

/** Reports whether a value may have a requested type, as far as its runtime type shows. */
export function isOfKind(value: unknown, { kind, name }: CelType): boolean {
  if (kind === 'dyn' || kind === 'param') return true
  const given = typeNameOf(value)
  if (given === name || given === kind) return true
  return (
    (kind === 'timestamp' && value instanceof Timestamp) ||
    (kind === 'duration' && value instanceof Duration) ||
    (kind === 'null' && value === null) ||
    (kind === 'optional' && value instanceof Optional)
  )
}
