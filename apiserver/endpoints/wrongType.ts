import { memberPath } from '../meta/fieldPath.ts'
import { typeInvalidField, type FieldError } from '../meta/fieldErrors.ts'
import { refuseDeepContent } from '../meta/deepContent.ts'
import { isObject } from '../meta/isObject.ts'
import { readMoment } from '../meta/moment.ts'
import type { Schema } from '../meta/schema.ts'

const none: readonly FieldError[] = []

/** It is a Go type in every kind. */
const metadataRules: TypeRules = { refusesNullItems: false, refusesNulls: false }

/** How the values of a kind are looked at. */
export interface TypeRules {
  /** A null in a list is an item without its type, as custom kinds have it. Else it is the empty value of its type. */
  refusesNullItems: boolean
  /** A null is a value of no type where the schema neither takes one nor has another to put in its place. */
  refusesNulls: boolean
}

/** The values that are of another type than the schema says, one error each: what comes after may rely on types. A null
 *  is of every type, because it is dropped, but where the rules say otherwise; what the schema does not know is not looked at.
 *  @throws StatusError 400 where the schema goes deeper than anybody can look.
 *  Source: the texts of structural schema validation, as custom resources show them. */
export function wrongTypes(
  value: unknown,
  schema: Schema,
  rules: TypeRules,
): readonly FieldError[] {
  return wrongBelow(value, schema, '', rules)
}

function wrongBelow(
  value: unknown,
  schema: Schema,
  path: string,
  rules: TypeRules,
): readonly FieldError[] {
  if (value === undefined) return none
  if (value === null) return rules.refusesNulls ? wrongNull(schema, path) : none
  const { type } = schema
  if (type !== undefined && !isOfType(value, type)) return [wrongType(value, type, path)]
  if (schema.format === 'date-time' && path.startsWith('metadata.') && typeof value === 'string')
    return wrongTime(value, path)
  if (Array.isArray(value)) return wrongItems(value, schema, path, rules)
  return isObject(value) ? wrongMembers(value, schema, path, rules) : none
}

function wrongNull(schema: Schema, path: string): readonly FieldError[] {
  const { type, nullable, default: standIn } = schema
  const isEither = schema['x-kubernetes-int-or-string'] === true
  const wanted = isEither ? 'integer,string' : type
  if (nullable === true || standIn !== undefined || wanted === undefined) return none
  return [wrongType(null, wanted, path)]
}

/** Times in metadata are looked at here, since the server sets most of them itself afterwards. */
function wrongTime(value: string, path: string): readonly FieldError[] {
  if (readMoment(value) !== undefined) return none
  return [typeInvalidField(path, value, `${path} in body must be of type datetime: "${value}"`)]
}

function wrongType(value: unknown, type: string, path: string): FieldError {
  const found = typeName(value)
  return typeInvalidField(path, found, `${path} in body must be of type ${type}: "${found}"`)
}

function wrongItems(
  items: readonly unknown[],
  { items: schema }: Schema,
  path: string,
  rules: TypeRules,
): readonly FieldError[] {
  if (schema === undefined) return none
  return items.flatMap((item, index) => {
    const at = `${path}[${index}]`
    return item === null && rules.refusesNullItems && schema.nullable !== true
      ? [wrongType(item, schema.type ?? 'object', at)]
      : wrongBelow(item, schema, at, rules)
  })
}

function wrongMembers(
  value: Readonly<Record<string, unknown>>,
  { properties, additionalProperties }: Schema,
  path: string,
  rules: TypeRules,
): readonly FieldError[] {
  refuseDeepContent(value)
  let errors = none
  for (const name in value) {
    const isKnown = properties !== undefined && Object.hasOwn(properties, name)
    const schema = isKnown ? properties[name] : additionalProperties
    if (schema === undefined) continue
    const at = memberPath(path, name)
    const found = wrongBelow(value[name], schema, at, at === 'metadata' ? metadataRules : rules)
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
