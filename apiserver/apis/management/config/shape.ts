import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { definitionName, struct } from '../../schema.ts'

/** A part of the configuration with its own name in OpenAPI; it is dropped if empty. */
export function shape(
  names: NamesProfile,
  name: string,
  properties: Readonly<Record<string, Schema>>,
  description: string,
): Schema {
  const definition = definitionName(managementGroup(names), 'v1', name)
  return struct(properties, description, { definition, omitEmpty: true })
}
