import { memberPath } from '../../meta/fieldPath.ts'
import {
  addError,
  tooManyField,
  typeInvalidField,
  type FieldError,
} from '../../meta/fieldErrors.ts'
import { refuseDeepContent } from '../../meta/json/deepContent.ts'
import { isWhole } from '../../meta/json/integers.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { jsonTypeName } from '../../meta/json/jsonTypeName.ts'
import { readMoment } from '../../meta/moment.ts'
import type { Schema } from '../../meta/schema.ts'
import { maxObjects } from './goTypeErrors.ts'

/** The values that are of another type than the schema says, one error each: what comes after may rely on types. A null
 *  is of every type, because it is dropped, or the empty value of its type; with `refusesNulls` it is a value of no type where
 *  the schema neither takes one nor has another to put in its place. What the schema does not know is not looked at.
 *  @throws StatusError 400 where the schema goes deeper than anybody can look.
 *  Source: the texts of structural schema validation, as custom resources show them. */
export function wrongTypes(
  value: unknown,
  schema: Schema,
  { refusesNulls }: { refusesNulls: boolean },
): readonly FieldError[] {
  const errors: FieldError[] = []
  wrongBelow(value, schema, '', { refusesNulls, errors })
  return errors
}

interface Look {
  refusesNulls: boolean
  /** Those that are found are put behind those that were. */
  errors: FieldError[]
}

function wrongBelow(value: unknown, schema: Schema, path: string, look: Look): void {
  if (value === undefined) return
  if (value === null) {
    if (look.refusesNulls) wrongNull(schema, path, look)
    return
  }
  const { type } = schema
  if (type !== undefined && !isOfType(value, type))
    addError(look.errors, () => wrongType(value, type, path))
  else if (schema.format === 'date-time' && isInMetadata(path) && typeof value === 'string')
    wrongTime(value, path, look)
  else if (Array.isArray(value)) wrongItems(value, schema, path, look)
  else if (isObject(value)) wrongMembers(value, schema, path, look)
}

function wrongNull(schema: Schema, path: string, { errors }: Look): void {
  const { type, nullable, default: standIn } = schema
  const isEither = schema['x-kubernetes-int-or-string'] === true
  const wanted = isEither ? 'integer,string' : type
  if (nullable === true || standIn !== undefined || wanted === undefined) return
  addError(errors, () => wrongType(null, wanted, path))
}

function isInMetadata(path: string): boolean {
  return path.startsWith('metadata.')
}

/** Times in metadata are looked at here, since the server sets most of them itself afterwards. */
function wrongTime(value: string, path: string, { errors }: Look): void {
  if (readMoment(value) !== undefined) return
  const detail = `${path} in body must be of type datetime: "${value}"`
  addError(errors, () => typeInvalidField(path, value, detail))
}

function wrongType(value: unknown, type: string, path: string): FieldError {
  const found = jsonTypeName(value)
  return typeInvalidField(path, found, `${path} in body must be of type ${type}: "${found}"`)
}

function wrongItems(
  items: readonly unknown[],
  { items: schema }: Schema,
  path: string,
  look: Look,
): void {
  if (schema === undefined) return
  if (schema.type === 'object' && items.length > maxObjects) {
    addError(look.errors, () => tooManyField(path, items.length, maxObjects))
    return
  }
  for (const [index, item] of items.entries()) {
    const at = `${path}[${index}]`
    if (item === null && look.refusesNulls && schema.nullable !== true)
      addError(look.errors, () => wrongType(item, schema.type ?? 'object', at))
    else wrongBelow(item, schema, at, look)
  }
}

function wrongMembers(
  value: Readonly<Record<string, unknown>>,
  { properties, additionalProperties }: Schema,
  path: string,
  look: Look,
): void {
  refuseDeepContent(value)
  for (const name in value) {
    const isKnown = properties !== undefined && Object.hasOwn(properties, name)
    const schema = isKnown ? properties[name] : additionalProperties
    if (schema === undefined) continue
    const at = memberPath(path, name)
    // It is a Go type in every kind.
    const isMetadata = at === 'metadata'
    wrongBelow(value[name], schema, at, isMetadata ? { ...look, refusesNulls: false } : look)
  }
}

type TypeName = NonNullable<Schema['type']>

function isOfType(value: unknown, type: TypeName): boolean {
  switch (type) {
    case 'object':
      return typeof value === 'object' && !Array.isArray(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return isWhole(value)
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint'
    case 'string':
    case 'boolean':
      return typeof value === type
  }
}
