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

/**
 * Finds values of another type than the schema's, one error each, so that later steps can rely on types. A null matches
 * every type, because it is dropped or replaced by the type's empty value. Values unknown to the schema are ignored.
 * @throws StatusError 400 if the schema goes deeper than values can be inspected.
 * Source: the messages of structural schema validation for custom resources.
 */
export function wrongTypes(value: unknown, schema: Schema): readonly FieldError[] {
  const errors: FieldError[] = []
  wrongBelow(value, schema, '', { errors, nulls: [], isMerged: false })
  return errors
}

/**
 * Finds nulls in the result of an apply that the schema neither allows nor replaces, one error each. Other values of a
 * wrong type are not reported.
 * @throws StatusError 400 if the schema goes deeper than values can be inspected.
 */
export function refusedNulls(value: unknown, schema: Schema): readonly FieldError[] {
  const nulls: FieldError[] = []
  wrongBelow(value, schema, '', { errors: [], nulls, isMerged: true })
  return nulls
}

interface Look {
  /** Collects errors of values of another type. */
  errors: FieldError[]
  /** Collects errors of nulls. */
  nulls: FieldError[]
  /** True for the result of an apply, outside of its metadata. */
  isMerged: boolean
}

function wrongBelow(value: unknown, schema: Schema, path: string, look: Look): void {
  if (value === undefined) return
  if (value === null) {
    if (look.isMerged) wrongNull(schema, path, look)
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

function wrongNull(schema: Schema, path: string, { nulls }: Look): void {
  const { type, nullable, default: standIn } = schema
  const isEither = schema['x-kubernetes-int-or-string'] === true
  const wanted = isEither ? 'integer,string' : type
  if (nullable === true || standIn !== undefined || wanted === undefined) return
  addError(nulls, () => wrongType(null, wanted, path))
}

function isInMetadata(path: string): boolean {
  return path.startsWith('metadata.')
}

/** Checks a time in metadata. The server itself sets most times later. */
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
  // Results of an apply are not limited here.
  if (schema.type === 'object' && items.length > maxObjects && !look.isMerged) {
    addError(look.errors, () => tooManyField(path, items.length, maxObjects))
    return
  }
  for (const [index, item] of items.entries()) {
    const at = `${path}[${index}]`
    if (item === null && look.isMerged && schema.nullable !== true)
      addError(look.nulls, () => wrongType(item, schema.type ?? 'object', at))
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
    // Metadata has the same Go type in every kind.
    const isMetadata = at === 'metadata'
    wrongBelow(value[name], schema, at, isMetadata ? { ...look, isMerged: false } : look)
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
