import { typeInvalidField, type FieldError } from '../meta/fieldErrors.ts'
import type { Schema } from '../meta/schema.ts'

/** The values that are of another type than the schema says, one error each: what comes after may rely on types. A null
 *  is of every type, because it is dropped, and what the schema does not know is not looked at.
 *  Source: the texts of structural schema validation, as custom resources show them. */
export function wrongTypes(value: unknown, schema: Schema, path = ''): FieldError[] {
  if (value === null || value === undefined) return []
  const { type } = schema
  if (type !== undefined && !isOfType(value, type)) return [wrongType(value, type, path)]
  if (schema.format === 'date-time' && path.startsWith('metadata.') && typeof value === 'string')
    return wrongTime(value, path)
  if (Array.isArray(value)) return wrongItems(value, schema, path)
  return typeof value === 'object' ? wrongMembers(value, schema, path) : []
}

/** Times in metadata are looked at here, since the server sets most of them itself afterwards. */
function wrongTime(value: string, path: string): FieldError[] {
  if (time.test(value)) return []
  return [typeInvalidField(path, value, `${path} in body must be of type datetime: "${value}"`)]
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

function wrongType(value: unknown, type: TypeName, path: string): FieldError {
  const found = typeName(value)
  return typeInvalidField(path, found, `${path} in body must be of type ${type}: "${found}"`)
}

function wrongItems(
  items: readonly unknown[],
  { items: schema }: Schema,
  path: string,
): FieldError[] {
  if (schema === undefined) return []
  return items.flatMap((item, index) => {
    const at = `${path}[${index}]`
    // A null in a list is an item without its type.
    return item === null && schema.nullable !== true
      ? [wrongType(item, schema.type ?? 'object', at)]
      : wrongTypes(item, schema, at)
  })
}

function wrongMembers(
  value: object,
  { properties, additionalProperties }: Schema,
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  for (const [name, member] of Object.entries(value)) {
    const isKnown = properties !== undefined && Object.hasOwn(properties, name)
    const schema = isKnown ? properties[name] : additionalProperties
    if (schema === undefined) continue
    const found = wrongTypes(member, schema, path === '' ? name : `${path}.${name}`)
    if (found.length > 0) errors.push(...found)
  }
  return errors
}

type TypeName = NonNullable<Schema['type']>

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

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}
