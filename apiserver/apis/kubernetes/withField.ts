import type { Schema } from '../../meta/schema.ts'

/** Copy of a struct with a changed field at a path of names. */
export function withField(
  schema: Schema,
  [name = '', ...rest]: readonly string[],
  change: (field: Schema) => Schema,
): Schema {
  const field = schema.properties?.[name]
  if (field === undefined) throw new Error(`there is no field ${name}`)
  const changed = rest.length === 0 ? change(field) : withField(field, rest, change)
  return { ...schema, properties: { ...schema.properties, [name]: changed } }
}
