import { isWhole } from './integers.ts'

/** The JSON Schema type of a JSON value; whole numbers are integers. */
export function jsonTypeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return isWhole(value) ? 'integer' : typeof value
}
