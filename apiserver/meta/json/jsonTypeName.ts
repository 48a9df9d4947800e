import { isWhole } from './integers.ts'

/** The type of a JSON value in the words of JSON Schema, of which whole numbers are integers. */
export function jsonTypeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return isWhole(value) ? 'integer' : typeof value
}
