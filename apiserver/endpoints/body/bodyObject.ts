import { formOf } from '../../registry/objectForm.ts'
import type { FieldError } from '../../meta/fieldErrors.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { invalid } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import { canonicalForm, objectSchema } from '../../registry/schema/canonicalForm.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { asStored } from '../../registry/versions/convertedObject.ts'
import { nameIn, typedBody, type BodyOrigin } from './bodyType.ts'
import { fieldProblems, isOfMetadata } from './fieldProblems.ts'
import type { Exchange } from '../exchange.ts'
import { unreadableAs } from './goDecoder.ts'
import { goTypeErrors } from './goTypeErrors.ts'
import { jsonVoice } from './goVoices.ts'
import { plainNumbers } from './plainNumbers.ts'
import { servesProtobuf } from '../response/protobufForm.ts'
import { wrappedIntegers } from './wrappedIntegers.ts'
import { refusedNulls, wrongTypes } from './wrongType.ts'
import type { FieldValidation } from '../write/writeOptions.ts'

/** Canonical object and problems of the body's fields, as messages for clients. */
export interface BodyObject {
  object: ApiObject
  problems: readonly string[]
  /**
   * Object from which managed fields are computed. It keeps fields of disabled features, which
   * their sender owns, and empty maps and lists in atomic lists, which make these lists differ. An
   * object of another version is converted to the stored version and back first. Absent: the same
   * object.
   * Source: seen on kube-apiserver 1.37.2; structured-merge-diff, which compares lists by
   * reflection.
   */
  sent?: ApiObject
  /** Errors of nulls in the result of an apply, which are removed from the object. Absent: none. */
  nulls?: readonly FieldError[]
}

/** The typed part of custom objects; validation of the whole object checks the rest. */
const envelope = objectSchema({ type: 'object' })

/**
 * Reads a decoded body as an object of the resource's kind. `duplicates` lists repeated fields.
 * @throws StatusError BadRequest for another kind or version, and for fields of another type in built-in kinds; Invalid
 * for those of other kinds. Later steps may rely on types. Source: reference 1.12.
 */
export function bodyObject(
  value: unknown,
  duplicates: readonly string[],
  resource: ResourceDefinition,
  origin: BodyOrigin,
): BodyObject {
  const typed = typedBody(value, resource, origin)
  const schema = objectSchema(resource.schema)
  const { isDecoded } = formOf(resource)
  const body = fitting(typed, resource, origin)
  const nulls = nullErrors(body, resource, origin)
  const isJudged = isDecoded && origin.isWritten === true
  const form = canonicalForm(body, schema, isJudged ? withEmpty : undefined)
  // Sound: canonicalForm keeps an object an object, and typedBody() set its kind, version and metadata.
  const object = form.value as ApiObject
  if (isDecoded) keepReset(object, body)
  setDefaults(object, resource)
  const unknownFields = unknownIn(object, form.unknownFields, resource)
  const result: BodyObject = {
    object,
    problems: fieldProblems(unknownFields, duplicates, isDecoded),
  }
  const isOld = isJudged && resource.storedAs !== undefined
  if (nulls.length > 0) result.nulls = nulls
  if (form.hasDisabled || (isJudged && form.hasEmpty) || isOld)
    result.sent = sentForm(body, resource)
  return result
}

/** Sets the defaults of the kind, which do not concern another kind in place of a custom one. */
function setDefaults(object: ApiObject, { kind, strategy }: ResourceDefinition): void {
  if (object.kind === kind) strategy.setDefaults?.(object)
}

/** Unknown fields; the schema of a custom kind says nothing about an object of another kind, except for its metadata. */
function unknownIn(
  { kind }: ApiObject,
  unknownFields: readonly string[],
  resource: ResourceDefinition,
): readonly string[] {
  const isTyped = formOf(resource).isDecoded || kind === resource.kind
  return isTyped ? unknownFields : unknownFields.filter(isOfMetadata)
}

/** Errors of nulls in the result of an apply to a custom object. */
function nullErrors(
  body: Readonly<Record<string, unknown>>,
  resource: ResourceDefinition,
  { isMerged }: BodyOrigin,
): readonly FieldError[] {
  if (isMerged !== true || formOf(resource).isDecoded) return []
  return refusedNulls(body, objectSchema(resource.schema))
}

const withEmpty = { keepsEmpty: 'everywhere' } as const

function sentForm(body: Record<string, unknown>, resource: ResourceDefinition): ApiObject {
  const kept = { keepsDisabled: true, keepsEmpty: 'inLists' } as const
  const { value } = canonicalForm(body, objectSchema(resource.schema), kept)
  // Sound: as for the object without them.
  const object = value as ApiObject
  resource.strategy.setDefaults?.(object)
  return asStored(object, resource)
}

/** Body with values of the right types. @throws StatusError Invalid, or the error of `origin` for a built-in kind. */
function fitting(
  body: Record<string, unknown>,
  resource: ResourceDefinition,
  origin: BodyOrigin,
): Record<string, unknown> {
  if (servesProtobuf(resource)) return ofGoTypes(body, resource, origin)
  checkSchemaTypes(body, resource)
  return body
}

function ofGoTypes(
  body: Record<string, unknown>,
  resource: ResourceDefinition,
  { reading, hasLiterals }: BodyOrigin,
): Record<string, unknown> {
  const schema = objectSchema(resource.schema)
  const { why, tooMany, wraps } = goTypeErrors(body, schema, reading?.voice ?? jsonVoice)
  if (why !== undefined) throw reading?.refuse(why) ?? unreadableAs(resource, why)
  if (resource.conversionProblem !== undefined) checkConversion(body, resource, reading)
  if (tooMany.length > 0) throw invalid(resource, nameIn(body), tooMany)
  // Sound: a copy of an object is an object.
  if (hasLiterals === true) return plainNumbers(body, schema) as Record<string, unknown>
  return wraps === true ? (wrappedIntegers(body, schema) as Record<string, unknown>) : body
}

function checkConversion(
  body: Readonly<Record<string, unknown>>,
  resource: ResourceDefinition,
  reading: BodyOrigin['reading'],
): void {
  const problem = resource.conversionProblem?.(body)
  if (problem === undefined) return
  throw (
    reading?.unconverted?.(problem) ?? reading?.refuse(problem) ?? unreadableAs(resource, problem)
  )
}

function checkSchemaTypes(
  body: Readonly<Record<string, unknown>>,
  resource: ResourceDefinition,
): void {
  const typed = formOf(resource).isDecoded ? objectSchema(resource.schema) : envelope
  const wrong = wrongTypes(body, typed)
  if (wrong.length > 0) throw invalid(resource, nameIn(body), wrong)
  const malformed = resource.malformedPart?.(body)
  if (malformed !== undefined)
    throw unreadableAs(resource, `${malformed.field}: ${malformed.message}`)
}

/**
 * Reports field problems according to `fieldValidation`: ignores them, warns, or refuses.
 * Source: reference 1.13.
 */
export function reportFieldProblems(
  problems: readonly string[],
  validation: FieldValidation,
  exchange: Exchange,
  resource: ResourceDefinition,
): void {
  if (problems.length === 0 || validation === 'Ignore') return
  if (validation === 'Warn') {
    for (const text of problems) exchange.warnings.add(text)
    return
  }
  throw unreadableAs(resource, `strict decoding error: ${strictErrors(problems).join(', ')}`)
}

/**
 * Errors in the order of the strict decoder: errors of the YAML parser are joined into one, which
 * precedes all others. Source: seen on kube-apiserver 1.37.2.
 */
function strictErrors(problems: readonly string[]): readonly string[] {
  const ofYaml = problems.filter((text) => yamlRepeat.test(text))
  if (ofYaml.length === 0) return problems
  const others = problems.filter((text) => !yamlRepeat.test(text))
  return [`yaml: unmarshal errors:\n  ${ofYaml.join('\n  ')}`, ...others]
}

const yamlRepeat = /^line \d+: key /

/**
 * Keeps an empty list of managers, which resets them, while an absent one does not. The decoder of custom objects loses
 * it.
 * Source: reference 3.11; seen on kube-apiserver 1.37.2.
 */
function keepReset(object: ApiObject, { metadata }: Record<string, unknown>): void {
  const sent = isObject(metadata) ? metadata['managedFields'] : undefined
  if (Array.isArray(sent) && sent.length === 0) object.metadata.managedFields = []
}
