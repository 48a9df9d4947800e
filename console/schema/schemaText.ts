import type { Schema } from './schema.ts'

/** Type of a field, in a word. */
export function typeText({ type = 'object', items, enum: values }: Schema): string {
  if (values !== undefined) return values.map(String).join(' | ')
  return items === undefined ? type : 'list'
}
