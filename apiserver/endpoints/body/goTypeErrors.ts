import { tooManyField, type FieldError } from '../../meta/fieldErrors.ts'
import { refuseDeepContent } from '../../meta/json/deepContent.ts'
import { isWhole } from '../../meta/json/integers.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { NumberLiteral } from '../../meta/json/numberLiteral.ts'
import { parseQuantity, quantityShapeText } from '../../meta/quantity.ts'
import { readMoment } from '../../meta/moment.ts'
import type { Schema } from '../../meta/schema.ts'
import { illegalBase64At } from '../../encoding/goBase64.ts'
import { goTimeError } from './goTime.ts'
import type { GoVoice, Place } from './goVoices.ts'

/**
 * Maximum number of objects in a list of a typed kind: rules examine each of them, and controllers create lists of a
 * thousand at most.
 */
export const maxObjects = 5_000

/** Type errors of a value in the wording of a Go decoder. */
export interface GoTypeErrors {
  /** First value that does not fit its type, in the decoder's wording. Absent: all fit. */
  why?: string
  /** Lists that are too long for this server. */
  tooMany: FieldError[]
  /** True if an integer is too large for its type and loses its high bits (`wrappedIntegers`). */
  wraps?: boolean
}

/**
 * Checks a value of a built-in kind like the Go decoder of `voice`. Null is valid for every type, and unknown fields
 * are not checked.
 * @throws StatusError 400 for content that is too deep. Source: seen on kube-apiserver 1.37.2.
 */
export function goTypeErrors(value: unknown, schema: Schema, voice: GoVoice): GoTypeErrors {
  const walk: Walk = { voice, errors: { tooMany: [] } }
  walkValue(value, { schema }, walk)
  if (walk.last !== undefined) walk.errors.why = walk.last
  return walk.errors
}

interface Walk {
  voice: GoVoice
  errors: GoTypeErrors
  /** Error that ended the decoding, reported instead of the saved one. */
  last?: string
}

function walkValue(value: unknown, place: Place, walk: Walk): void {
  if (value === undefined || value === null) return
  const { schema } = place
  if (value instanceof NumberLiteral) checkLiteral(value, place, walk)
  else if (readsItself(schema)) checkForm(value, place, walk)
  else if (schema['x-kubernetes-preserve-unknown-fields'] === true) return
  else if (isTooLarge(value, schema, walk)) walk.errors.wraps = true
  else if (!isOfType(value, schema)) found(walk, () => walk.voice.wrongType(value, place))
  else if (isNeither(value, schema)) foundByType(walk, () => schema.orBoolean ?? '')
  else if (Array.isArray(value)) walkList(value, place, walk)
  else if (isObject(value)) walkMembers(value, place, walk)
}

/** Checks a number with a literal that is not an integer. */
function checkLiteral(value: NumberLiteral, place: Place, walk: Walk): void {
  const { schema } = place
  const { type, orBoolean } = schema
  if (readsItself(schema)) checkForm(value, place, walk)
  else if (schema['x-kubernetes-preserve-unknown-fields'] === true || type === 'number') return
  else if (type !== undefined) found(walk, () => walk.voice.wrongType(value, place))
  else if (orBoolean !== undefined) foundByType(walk, () => orBoolean)
}

function isNeither(value: unknown, { orBoolean }: Schema): boolean {
  return orBoolean !== undefined && typeof value !== 'boolean' && !isObject(value)
}

function readsItself(schema: Schema): boolean {
  const { canonical, format } = schema
  if (format === 'date-time' || (canonical !== undefined && canonical !== 'double')) return true
  return schema['x-kubernetes-int-or-string'] === true
}

/** Records the first error only. */
function found({ errors }: Walk, why: () => string): void {
  errors.why ??= why()
}

/** Records the error of a type with its own decoder. */
function foundByType(walk: Walk, why: () => string): void {
  if (walk.voice.savesErrors === true) walk.last ??= why()
  else found(walk, why)
}

function isTooLarge(value: unknown, { type, format }: Schema, { voice }: Walk): boolean {
  if (type !== 'integer' || voice.wrapsIntegers !== true || !isWhole(value)) return false
  return !fits(Number(value), format)
}

function isOfType(value: unknown, { type, format }: Schema): boolean {
  switch (type) {
    case 'object':
      return isObject(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return isWhole(value) && fits(Number(value), format)
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint'
    case 'string':
    case 'boolean':
      return typeof value === type
    case undefined:
    default:
      return true
  }
}

function fits(value: number, format: string | undefined): boolean {
  const bound = format === 'int32' ? 2 ** 31 : 2 ** 63
  return value >= -bound && value < bound
}

/** Checks values of Go types with their own decoder. */
function checkForm(value: unknown, place: Place, walk: Walk): void {
  const { canonical } = place.schema
  if (place.schema['x-kubernetes-int-or-string'] === true) checkEither(value, place, walk)
  else if (canonical === 'quantity') checkQuantity(value, walk)
  else if (canonical === 'bytes') checkBytes(value, place, walk)
  else checkTime(value, place, walk)
}

function checkEither(value: unknown, place: Place, walk: Walk): void {
  const isNumber = isWhole(value) && fits(Number(value), 'int32')
  if (!isNumber && typeof value !== 'string')
    foundByType(walk, () => walk.voice.unreadable(value, 'int32', place))
}

function checkQuantity(value: unknown, walk: Walk): void {
  const isText =
    ['string', 'number', 'bigint'].includes(typeof value) || value instanceof NumberLiteral
  if (!isText || parseQuantity(String(value).trim()) === undefined)
    foundByType(walk, () => quantityWords(value))
}

/** Problem of a quantity. Source: apimachinery, resource.ParseQuantity. */
function quantityWords(value: unknown): string {
  const hasQuantity =
    typeof value === 'string' && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)[eEinumkKMGTP]/.test(value)
  const isShaped = hasQuantity && /^[+-]?[0-9.]+[eEinumkKMGTP]+[-+]?[0-9]*$/.test(value)
  return isShaped ? "unable to parse quantity's suffix" : quantityShapeText
}

function checkBytes(value: unknown, place: Place, walk: Walk): void {
  if (typeof value !== 'string') return found(walk, () => walk.voice.wrongType(value, place))
  const at = illegalBase64At(value)
  if (at !== undefined) found(walk, () => walk.voice.illegalBytes(at))
}

function checkTime(value: unknown, place: Place, walk: Walk): void {
  if (typeof value !== 'string')
    return foundByType(walk, () => walk.voice.unreadable(value, 'string', place))
  const form = place.schema.canonical === 'microTime' ? 'microTime' : 'time'
  // The common case is cached.
  if (form === 'time' && readMoment(value) !== undefined) return
  const why = goTimeError(value, form)
  if (why !== undefined) foundByType(walk, () => why)
}

function walkList(list: readonly unknown[], place: Place, walk: Walk): void {
  const { items } = place.schema
  if (items === undefined) return
  if (items.type === 'object' && list.length > maxObjects)
    walk.errors.tooMany.push(tooManyField(fieldPath(place), list.length, maxObjects))
  const inner: Place = { schema: items, parent: place }
  for (const item of list) walkValue(item, inner, walk)
}

function fieldPath({ name, parent }: Place): string {
  const before = parent === undefined ? '' : fieldPath(parent)
  return name === undefined || before === '' ? (name ?? before) : `${before}.${name}`
}

function walkMembers(value: Record<string, unknown>, place: Place, walk: Walk): void {
  refuseDeepContent(value)
  const { properties, additionalProperties } = place.schema
  if (additionalProperties !== undefined) {
    const inner: Place = { schema: additionalProperties, parent: place }
    for (const name in value) walkValue(value[name], inner, walk)
    return
  }
  if (properties === undefined) return
  for (const name of walk.voice.order(value, properties)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (schema !== undefined) walkValue(value[name], { schema, parent: place, name }, walk)
  }
}
