import type { Schema } from '../meta/schema.ts'

/** The first value in `value` that is of another type than its schema says, in the words of Go's JSON decoder; undefined:
 *  none. A null is of every type, because decoding skips it, and what the schema does not know is not looked at.
 *  Source: reference 1.12. */
export function wrongType(value: unknown, schema: Schema, path = ''): string | undefined {
  if (value === null || value === undefined) return undefined
  const { type } = schema
  if (type !== undefined && !isOfType(value, type)) {
    const field = path === '' ? 'value' : `struct field ${path}`
    return `json: cannot unmarshal ${typeName(value)} into Go ${field} of type ${goTypes[type]}`
  }
  if (Array.isArray(value)) return wrongItem(value, schema, path)
  return typeof value === 'object' ? wrongMember(value, schema, path) : undefined
}

function wrongItem(items: readonly unknown[], schema: Schema, path: string): string | undefined {
  if (schema.items === undefined) return undefined
  for (const item of items) {
    // What follows walks the items, so a null is no item.
    if (item === null) return `json: cannot unmarshal null into Go struct field ${path}`
    const wrong = wrongType(item, schema.items, path)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function wrongMember(
  value: object,
  { properties, additionalProperties }: Schema,
  path: string,
): string | undefined {
  for (const [name, member] of Object.entries(value)) {
    const schema =
      properties !== undefined && Object.hasOwn(properties, name)
        ? properties[name]
        : additionalProperties
    if (schema === undefined) continue
    const wrong = wrongType(member, schema, path === '' ? name : `${path}.${name}`)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

type TypeName = NonNullable<Schema['type']>

const goTypes: Readonly<Record<TypeName, string>> = {
  object: 'map[string]interface {}',
  array: '[]interface {}',
  string: 'string',
  integer: 'int64',
  number: 'float64',
  boolean: 'bool',
}

function isOfType(value: unknown, type: TypeName): boolean {
  switch (type) {
    case 'object':
      return typeof value === 'object' && !Array.isArray(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type
  }
}

/** As Go's decoder calls what it finds. */
function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
