import { NumberLiteral } from './numberLiteral.ts'

/** The Go decoder's name for the type of a JSON value. */
export function goJsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  const isNumber = typeof value === 'bigint' || value instanceof NumberLiteral
  return isNumber ? 'number' : typeof value
}
