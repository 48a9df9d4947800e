import { formOf } from '../../registry/objectForm.ts'
import { invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { objectMetaSchema } from '../../meta/objectMetaSchema.ts'
import { isObject } from '../../meta/json/isObject.ts'
import type { StatusError } from '../../meta/status.ts'
import { badRequest, invalid } from '../../meta/statusErrors.ts'
import { groupVersionString, type GroupVersion, type GroupVersionKind } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import type { ResourceSet } from '../../registry/resourceSet.ts'
import { bodySummary } from './bodySummary.ts'
import { unreadableJson } from './goDecoder.ts'
import { goTypeErrors } from './goTypeErrors.ts'
import { jsonVoice, wrongGoType, type GoVoice } from './goVoices.ts'
import { metadataProblems, problemsOfVersion } from './fieldProblems.ts'
import { malformedVersion, parseGroupVersion, schemeProblem } from './goScheme.ts'

export interface BodyOrigin {
  /** Known kinds besides the expected one. */
  resources: Pick<ResourceSet, 'all'>
  /** The bytes as received, for messages. Absent: the server itself computed the object. */
  bytes?: Buffer
  /** True if numbers of the value are as written (`NumberLiteral`). Default false. */
  hasLiterals?: boolean | undefined
  /** Decoding errors of a built-in kind for values of the wrong type. Default: as for a body in JSON, refused with 400. */
  reading?: {
    voice: GoVoice
    refuse: (why: string) => StatusError
    /** Refusal of an object that cannot be converted to the internal version. Default: as for a wrong type. */
    unconverted?: (why: string) => StatusError
  }
  /** Handles another kind in a custom object, which is refused later. Default: it is refused at once. */
  deferKind?: (kind: string) => void
  /** Called with the fields that another version of a custom kind lacks, before that version is refused. */
  report?: ((problems: readonly string[]) => void) | undefined
  /** True for the result of server-side apply, in which a null of a custom object is a value. */
  isMerged?: boolean
  /** True if the object will be validated and stored; empty maps and lists are kept until the end. Default false. */
  isWritten?: boolean
}

export interface BodyType {
  /** Type in the body; absent: unreadable. */
  given?: GroupVersionKind
  /** Reason why the body is not of the kind in any of its versions; absent: it is. */
  why?: string
}

/**
 * Fills in the kind, the version and the metadata that a body omits.
 * @throws StatusError BadRequest for another kind or version; Invalid for another kind instead of a custom one.
 * Source: reference 0.4, 1.12.
 */
export function typedBody(
  value: unknown,
  resource: ResourceDefinition,
  origin: BodyOrigin,
): Record<string, unknown> {
  const { resources, bytes = Buffer.alloc(0) } = origin
  if (!isObject(value)) throw badRequest(unrecognized(resource, 'not an object'))
  const expected = groupVersionString(resource)
  const metadata = value['metadata'] ?? {}
  if (value['kind'] === resource.kind && value['apiVersion'] === expected) {
    checkMetadata(metadata, resource, { resource, origin })
    return { ...value, metadata }
  }
  requireKind(value, resource, bytes)
  const { given, why } = bodyTypeOf(value, resource, resources)
  if (given === undefined || why !== undefined)
    throw badRequest(refusal({ given, why }, resource, bytes))
  if (value['apiVersion'] === null) refuseNullVersion(given, { resource, origin })
  checkMetadata(metadata, given, { resource, origin })
  const { kind, ...groupVersion } = given
  const apiVersion = groupVersionString(groupVersion)
  if (apiVersion !== expected) {
    reportProblems(value, given, { resource, origin })
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    )
  }
  if (kind !== resource.kind) {
    if (origin.deferKind === undefined) throw otherKind(kind, resource, nameIn(value))
    origin.deferKind(kind)
  }
  return { ...value, kind, apiVersion, metadata }
}

/** Refusal of an object of another kind in place of a custom one, with further errors. */
export function otherKind(
  kind: string,
  resource: ResourceDefinition,
  name: string,
  errors: readonly FieldError[] = [],
): StatusError {
  const error = invalidField('kind', kind, `must be ${resource.kind}`)
  return invalid({ ...resource, kind }, name, [error, ...errors])
}

/**
 * Checks the metadata of a custom object, which has the same Go type in every object and is decoded separately, field
 * by field in the order of names. Results of server-side apply were already checked.
 * @throws StatusError BadRequest, or the error of `origin`. Source: seen on kube-apiserver 1.37.2.
 */
function checkMetadata(
  metadata: unknown,
  given: Pick<GroupVersionKind, 'kind' | 'version'>,
  { resource, origin }: { resource: ResourceDefinition; origin: BodyOrigin },
): void {
  if (formOf(resource).isDecoded || origin.isMerged === true) return
  const { why } = goTypeErrors(metadata, objectMetaSchema, metadataVoice)
  if (why !== undefined) throw refusalOf(why, given, { resource, origin })
}

type Reporting = Pick<BodyOrigin, 'resources' | 'report'>

interface Reading {
  resource: ResourceDefinition
  origin: BodyOrigin
}

export const nullVersion = '.apiVersion accessor error: <nil> is of the type <nil>, expected string'

/**
 * A null version counts as omitted only in built-in kinds. Source: seen on kube-apiserver 1.37.2.
 */
function refuseNullVersion(given: GroupVersionKind, { resource, origin }: Reading): void {
  if (formOf(resource).isDecoded || origin.isMerged === true) return
  throw refusalOf(nullVersion, given, { resource, origin })
}

function refusalOf(
  why: string,
  { kind, version }: Pick<GroupVersionKind, 'kind' | 'version'>,
  { resource, origin }: Reading,
): StatusError {
  if (origin.reading !== undefined) return origin.reading.refuse(why)
  const text = `${kind} in version ${goQuote(version)} cannot be handled as a ${resource.kind}: ${why}`
  return badRequest(text)
}

/**
 * Reports unknown fields of a custom object in another version of its kind; those of the metadata alone for another
 * kind.
 */
export function reportProblems(
  value: Readonly<Record<string, unknown>>,
  given: GroupVersionKind,
  { resource, origin }: { resource: ResourceDefinition; origin: Reporting },
): void {
  if (formOf(resource).isDecoded) return
  const isSameKind = given.kind === resource.kind && given.group === resource.group
  if (isSameKind && given.version === resource.version) return
  const served = origin.resources.all().find((one) => isOf(given, one))
  const problems = isSameKind ? problemsOfVersion(value, served) : metadataProblems(value)
  origin.report?.(problems)
}

const metadataVoice: GoVoice = { ...jsonVoice, order: (value) => Object.keys(value).sort() }

function refusal(
  { why = '', given }: { [name in keyof BodyType]: BodyType[name] | undefined },
  resource: ResourceDefinition,
  bytes: Buffer,
): string {
  if (given === undefined) return unrecognized(resource, `${why} (${bodySummary(bytes)})`)
  const { kind, version } = given
  return `${kind} in version ${goQuote(version)} cannot be handled as a ${resource.kind}: ${why}`
}

/** Checks that a custom object states its kind. @throws StatusError BadRequest. */
function requireKind(
  { kind }: Readonly<Record<string, unknown>>,
  resource: ResourceDefinition,
  bytes: Buffer,
): void {
  if (formOf(resource).isDecoded || (kind ?? '') !== '') return
  const why = `${missingKind(bytes.toString())} (${bodySummary(bytes)})`
  throw badRequest(unrecognized(resource, why))
}

/** The message for a missing kind. Source: apimachinery, the decoding of unstructured objects. */
export function missingKind(text: string): string {
  return `Object 'Kind' is missing in '${text}'`
}

/**
 * The type of `value`, with omitted parts taken from the resource; a custom kind must not omit any. For a custom kind
 * nothing else is checked.
 */
export function bodyTypeOf(
  value: Readonly<Record<string, unknown>>,
  resource: ResourceDefinition,
  resources: BodyOrigin['resources'],
): BodyType {
  const { isDecoded } = formOf(resource)
  const type = givenType(value, isDecoded ? resource : nothing)
  const { given } = type
  if (given === undefined) return type
  if (!isDecoded || isOf(given, resource)) return { given }
  const asServed = { ...given, version: resource.version }
  if (resource.bodyVersions?.includes(given.version) === true && isOf(asServed, resource))
    return { given: asServed }
  const problem = schemeProblem(given, resource, resources)
  return problem === undefined ? { given } : { given, why: problem }
}

/** The type of `value`, with omitted parts taken from `expected`. */
export function givenType(
  value: Readonly<Record<string, unknown>>,
  expected: GroupVersionKind,
): BodyType {
  const [kind, apiVersion] = [value['kind'] ?? '', value['apiVersion'] ?? '']
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    // The first one in the document is reported.
    const odd = Object.keys(value).find(
      (name) => isTyped(name) && typeof (value[name] ?? '') !== 'string',
    )
    return { why: notText(odd ?? 'kind', odd === undefined ? kind : value[odd]) }
  }
  const groupVersion = parseGroupVersion(apiVersion)
  if (groupVersion === undefined) return { why: malformedVersion(apiVersion) }
  const known = completed(groupVersion, expected)
  return { given: { ...known, kind: kind === '' ? expected.kind : kind } }
}

function isTyped(name: string): boolean {
  return name === 'kind' || name === 'apiVersion'
}

/** The type of an empty custom object. */
export const nothing: GroupVersionKind = { group: '', version: '', kind: '' }

function completed(given: GroupVersion, { group, version }: GroupVersion): GroupVersion {
  const leavesVersion = given.version === '' && (given.group === '' || given.group === group)
  return leavesVersion ? { group, version } : given
}

function isOf(given: GroupVersionKind, { group, version, kind }: GroupVersionKind): boolean {
  return given.kind === kind && given.version === version && given.group === group
}

function unrecognized({ kind }: ResourceDefinition, why: string): string {
  return `the object provided is unrecognized (must be of type ${kind}): ${why}`
}

function notText(field: string, value: unknown): string {
  return unreadableJson(wrongGoType(value, `.${field}`, 'string'))
}

/** The object name in a body; empty if there is none. */
export function nameIn({ metadata }: Readonly<Record<string, unknown>>): string {
  const name = isObject(metadata) ? metadata['name'] : undefined
  return typeof name === 'string' ? name : ''
}
