import { typeInvalidField, type FieldError } from '../meta/fieldErrors.ts'
import { refuseDeepContent } from '../meta/deepContent.ts'
import { isObject } from '../meta/isObject.ts'
import type { Schema } from '../meta/schema.ts'

const none: readonly FieldError[] = []

/** The values that are of another type than the schema says, one error each: what comes after may rely on types. A null
 *  is of every type, because it is dropped, and what the schema does not know is not looked at.
 *  @throws StatusError 400 where the schema goes deeper than anybody can look.
 *  Source: the texts of structural schema validation, as custom resources show them. */
export function wrongTypes(value: unknown, schema: Schema, path = ''): readonly FieldError[] {
  if (value === null || value === undefined) return none
  const { type } = schema
  if (type !== undefined && !isOfType(value, type)) return [wrongType(value, type, path)]
  if (schema.format === 'date-time' && path.startsWith('metadata.') && typeof value === 'string')
    return wrongTime(value, path)
  if (Array.isArray(value)) return wrongItems(value, schema, path)
  return isObject(value) ? wrongMembers(value, schema, path) : none
}

/** Times in metadata are looked at here, since the server sets most of them itself afterwards. */
function wrongTime(value: string, path: string): readonly FieldError[] {
  if (time.test(value)) return none
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
): readonly FieldError[] {
  if (schema === undefined) return none
  return items.flatMap((item, index) => {
    const at = `${path}[${index}]`
    // A null in a list is an item without its type.
    return item === null && schema.nullable !== true
      ? [wrongType(item, schema.type ?? 'object', at)]
      : wrongTypes(item, schema, at)
  })
}

function wrongMembers(
  value: Readonly<Record<string, unknown>>,
  { properties, additionalProperties }: Schema,
  path: string,
): readonly FieldError[] {
  refuseDeepContent(value)
  let errors = none
  for (const name in value) {
    const isKnown = properties !== undefined && Object.hasOwn(properties, name)
    const schema = isKnown ? properties[name] : additionalProperties
    if (schema === undefined) continue
    const found = wrongTypes(value[name], schema, path === '' ? name : `${path}.${name}`)
    if (found.length > 0) errors = errors.length === 0 ? found : [...errors, ...found]
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
