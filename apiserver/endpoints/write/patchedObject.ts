import { formOf } from '../../registry/objectForm.ts'
import { bodySchema, redactRequest } from '../../audit/redactBody.ts'
import { holdsSecrets } from '../../audit/redaction.ts'
import { jsonText } from '../../meta/json/exactJson.ts'
import { invalidField } from '../../meta/fieldErrors.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { sortedMembers } from '../../meta/json/sortedMembers.ts'
import { StatusError } from '../../meta/status.ts'
import { internalError, invalid, plainError } from '../../meta/statusErrors.ts'
import type { Schema } from '../../meta/schema.ts'
import { groupVersionString, type ApiObject } from '../../meta/types.ts'
import { convertedObject } from '../../registry/versions/convertedObject.ts'
import {
  jsonPatchType,
  strategicMergePatchType,
  type ResourceDefinition,
} from '../../registry/resource.ts'
import { inMergeOrder, inOperationOrder } from '../../patch/patchedOrder.ts'
import { goValue } from '../../patch/apply/typed/goText.ts'
import { goTypeErrors } from '../body/goTypeErrors.ts'
import { jsonVoice, unstructuredVoice } from '../body/goVoices.ts'
import { bodyObject, type BodyObject } from '../body/bodyObject.ts'
import {
  bodyTypeOf,
  givenType,
  missingKind,
  nameIn,
  nothing,
  nullVersion,
  reportProblems,
  type BodyOrigin,
} from '../body/bodyType.ts'

/** The object after a patch was applied. */
export interface PatchResult {
  result: unknown
  mediaType: string
  /** Patch as sent by the client. */
  patch: unknown
}

type PatchOrigin = Pick<BodyOrigin, 'resources' | 'isWritten' | 'report'>

/**
 * Reads the result of a patch as an object of the kind, possibly in another version of it.
 * @throws StatusError Invalid if it is not an object of the kind. Source: reference 3.9; observed answers.
 */
export function patchedObject(
  patched: PatchResult,
  resource: ResourceDefinition,
  origin: PatchOrigin,
): BodyObject {
  try {
    return readResult(patched, resource, origin)
  } catch {
    // Only the error depends on the order of members.
    return readResult({ ...patched, result: inLibraryOrder(patched, resource) }, resource, origin)
  }
}

/** Result of a patch with its members in the order in which the library decodes and shows them. */
export function inLibraryOrder(
  { result, mediaType, patch }: PatchResult,
  resource: ResourceDefinition,
): unknown {
  if (mediaType === strategicMergePatchType) return result
  if (!formOf(resource).isDecoded) return sortedMembers(result)
  return mediaType === jsonPatchType ? inOperationOrder(result, patch) : inMergeOrder(result, patch)
}

function readResult(
  { result, mediaType, patch }: PatchResult,
  resource: ResourceDefinition,
  { resources, isWritten = false, report }: PatchOrigin,
): BodyObject {
  const type = { kind: resource.kind, apiVersion: groupVersionString(resource) }
  // A strategic merge patch cannot change the type of the object.
  const isTyped = mediaType === strategicMergePatchType && isObject(result)
  const value = isTyped ? typedResult(result, type, patch) : result
  const refuse = (why: string) =>
    isTyped ? refusedPatch(goValue(withIntegers(patch)), why) : invalidPatch(value, why, resource)
  const reading = isTyped
    ? { voice: unstructuredVoice, refuse, unconverted: plainError }
    : { voice: jsonVoice, refuse }
  const origin = { resources, reading, isWritten }
  try {
    if (!isObject(value)) return bodyObject(value, [], resource, origin)
    if (!formOf(resource).isDecoded) {
      checkCustomType(value, resource, { resources, report })
      return bodyObject(value, [], resource, origin)
    }
    if ((value['apiVersion'] ?? '') === '') return unversioned(value, type)
    return inVersion(value, resource, origin)
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    if (isTold(error)) throw error
    throw invalidPatch(value, error.message, resource)
  }
}

/** The result with the type of the object; its own type must still consist of strings. */
function typedResult(result: Record<string, unknown>, type: object, patch: unknown): object {
  const { kind, apiVersion } = result
  const { why } = goTypeErrors({ kind, apiVersion }, typeMeta, unstructuredVoice)
  if (why !== undefined) throw refusedPatch(goValue(withIntegers(patch)), why)
  return { ...result, ...type }
}

const typeMeta: Schema = {
  type: 'object',
  properties: { kind: { type: 'string' }, apiVersion: { type: 'string' } },
}

/**
 * Reports whether an error is reported unchanged, since the patch did not cause it, or the value is too large to
 * repeat.
 */
function isTold({ reason, code }: StatusError): boolean {
  return reason === 'Invalid' || code === 413 || code === 500
}

/** A 422 on the field `patch`. The result contains stored values, which the client may not be allowed to see. */
export function invalidPatch(
  result: unknown,
  why: string,
  { schema }: Pick<ResourceDefinition, 'schema'>,
): StatusError {
  const isGuarded = holdsSecrets(bodySchema(schema))
  const shown = jsonText(isGuarded ? redactRequest(result, schema) : result)
  return refusedPatch(shown, why)
}

/** Patch in the form for the strategic merge, which distinguishes integers from floats. */
function withIntegers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIntegers)
  if (Number.isInteger(value)) return BigInt(value as number) // an integer is a number
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withIntegers(member)]),
  )
}

function refusedPatch(shown: unknown, why: string): StatusError {
  return invalid({ group: '', kind: '' }, '', [invalidField('patch', shown, why)])
}

/**
 * Checks that a custom object keeps its type. @throws StatusError Invalid; InternalError without a version, like the
 * library.
 */
function checkCustomType(
  value: Readonly<Record<string, unknown>>,
  resource: ResourceDefinition,
  origin: PatchOrigin,
): void {
  const { given, why } = givenType(value, nothing)
  if (given === undefined) throw invalidPatch(value, why ?? '', resource)
  if (given.kind === '') throw invalidPatch(value, missingKind(jsonText(value)), resource)
  if (value['apiVersion'] === null) throw invalidPatch(value, nullVersion, resource)
  if (given.version === '')
    throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'")
  reportProblems(value, given, { resource, origin })
  const [apiVersion, expected] = [groupVersionString(given), groupVersionString(resource)]
  const errors = [
    ...(given.kind === resource.kind
      ? []
      : [invalidField('kind', given.kind, `must be ${resource.kind}`)]),
    ...(apiVersion === expected
      ? []
      : [invalidField('apiVersion', apiVersion, `must be ${expected}`)]),
  ]
  if (errors.length > 0) throw invalid(given, nameIn(value), errors)
}

/**
 * Reads a result without its version as the library's internal form of the kind, in which no field has its JSON name.
 */
function unversioned(
  value: Readonly<Record<string, unknown>>,
  type: { kind: string; apiVersion: string },
): BodyObject {
  const names = Object.keys(value).filter((name) => name !== 'kind' && name !== 'apiVersion')
  const problems = names.sort().map((name) => `unknown field ${goQuote(name)}`)
  return { object: { ...type, metadata: {} }, problems }
}

function inVersion(
  value: Readonly<Record<string, unknown>>,
  resource: ResourceDefinition,
  origin: BodyOrigin,
): BodyObject {
  const { resources } = origin
  const { given, why } = bodyTypeOf(value, resource, resources)
  if (why !== undefined) throw invalidPatch(value, why, resource)
  const source = resources
    .all()
    .find(
      ({ group, version, kind }) =>
        group === given?.group && version === given.version && kind === given.kind,
    )
  if (source === undefined || source === resource) return bodyObject(value, [], resource, origin)
  const { object, problems, sent } = bodyObject(value, [], source, origin)
  const convert = (one: ApiObject) => convertedObject(one, source, resource)
  return {
    object: convert(object),
    problems,
    ...(sent === undefined ? {} : { sent: convert(sent) }),
  }
}
