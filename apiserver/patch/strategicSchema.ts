import { objectMetaSchema } from '../meta/objectMetaSchema.ts'
import type { Schema } from '../meta/schema.ts'

export type Fields = Record<string, unknown>

/** The schema of a member; undefined if it is unknown, so that lists are replaced and maps merged. */
export function propertySchema(schema: Schema | undefined, name: string): Schema | undefined {
  const { properties, additionalProperties } = schema ?? {}
  if (properties !== undefined && Object.hasOwn(properties, name)) {
    const found = properties[name]
    // A whole object's schema may omit the structure of metadata, which all kinds share.
    return name === 'metadata' && found?.properties === undefined ? objectMetaSchema : found
  }
  return additionalProperties
}
