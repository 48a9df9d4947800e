import { invalidField } from '../../meta/fieldErrors.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { isObject } from '../../meta/json/isObject.ts'
import type { StatusError } from '../../meta/status.ts'
import { badRequest, invalid } from '../../meta/statusErrors.ts'
import { groupVersionString, type GroupVersion, type GroupVersionKind } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import type { ResourceSet } from '../../registry/resourceSet.ts'
import { bodySummary } from './bodySummary.ts'
import { unreadableJson } from './goDecoder.ts'
import { wrongGoType, type GoVoice } from './goVoices.ts'
import { malformedVersion, parseGroupVersion, schemeProblem } from './goScheme.ts'

/** Where a body comes from. */
export interface BodyOrigin {
  /** The kinds that are known beside the wanted one. */
  resources: Pick<ResourceSet, 'all'>
  /** As it came, for messages. Absent: it is a result of the server's own. */
  bytes?: Buffer
  /** How an object of a built-in kind is read where a value has another type. Default: as a body in JSON, refused with
   *  400. */
  reading?: { voice: GoVoice; refuse: (why: string) => StatusError }
  /** It is what server-side apply has merged: a null of a custom object has been applied as a value. */
  isMerged?: boolean
}

/** What a body says that it is. */
export interface BodyType {
  /** Absent: that cannot be read. */
  given?: GroupVersionKind
  /** Why it is no object of the kind in any of its versions; absent: it is. */
  why?: string
}

/** A body with the kind, the version and the metadata that it left out.
 *  @throws StatusError BadRequest for another kind or version; Invalid for another kind in the place of a custom one.
 *  Source: reference 0.4, 1.12. */
export function typedBody(
  value: unknown,
  resource: ResourceDefinition,
  { resources, bytes = Buffer.alloc(0) }: BodyOrigin,
): Record<string, unknown> {
  if (!isObject(value)) throw badRequest(unrecognized(resource, 'not an object'))
  const expected = groupVersionString(resource)
  const metadata = value['metadata'] ?? {}
  if (value['kind'] === resource.kind && value['apiVersion'] === expected)
    return { ...value, metadata }
  requireKind(value, resource, bytes)
  const { given, why } = bodyTypeOf(value, resource, resources)
  if (given === undefined || why !== undefined)
    throw badRequest(refusal({ given, why }, resource, bytes))
  const { kind, ...groupVersion } = given
  const apiVersion = groupVersionString(groupVersion)
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    )
  }
  if (kind !== resource.kind) {
    const error = invalidField('kind', kind, `must be ${resource.kind}`)
    throw invalid({ ...resource, kind }, nameIn(value), [error])
  }
  return { ...value, kind, apiVersion, metadata }
}

function refusal(
  { why = '', given }: { [name in keyof BodyType]: BodyType[name] | undefined },
  resource: ResourceDefinition,
  bytes: Buffer,
): string {
  if (given === undefined) return unrecognized(resource, `${why} (${bodySummary(bytes)})`)
  const { kind, version } = given
  return `${kind} in version ${goQuote(version)} cannot be handled as a ${resource.kind}: ${why}`
}

/** A custom object says what it is. @throws StatusError BadRequest. */
function requireKind(
  { kind }: Readonly<Record<string, unknown>>,
  resource: ResourceDefinition,
  bytes: Buffer,
): void {
  if (resource.isCustom !== true || (kind ?? '') !== '') return
  const why = `${missingKind(bytes.toString())} (${bodySummary(bytes)})`
  throw badRequest(unrecognized(resource, why))
}

/** Source: apimachinery, the decoding of unstructured objects. */
export function missingKind(text: string): string {
  return `Object 'Kind' is missing in '${text}'`
}

/** What `value` says that it is, where it leaves something out as the resource has it; a custom kind has nothing to be
 *  left out. Of a custom kind nothing but that is asked. */
export function bodyTypeOf(
  value: Readonly<Record<string, unknown>>,
  resource: ResourceDefinition,
  resources: BodyOrigin['resources'],
): BodyType {
  const type = givenType(value, resource.isCustom === true ? nothing : resource)
  const { given } = type
  if (given === undefined) return type
  if (resource.isCustom === true || isOf(given, resource)) return { given }
  const asServed = { ...given, version: resource.version }
  if (resource.bodyVersions?.includes(given.version) === true && isOf(asServed, resource))
    return { given: asServed }
  const problem = schemeProblem(given, resource, resources)
  return problem === undefined ? { given } : { given, why: problem }
}

/** What `value` says that it is, where it leaves something out as `expected` is. */
export function givenType(
  value: Readonly<Record<string, unknown>>,
  expected: GroupVersionKind,
): BodyType {
  const [kind, apiVersion] = [value['kind'] ?? '', value['apiVersion'] ?? '']
  if (typeof apiVersion !== 'string') return { why: notText('apiVersion', apiVersion) }
  if (typeof kind !== 'string') return { why: notText('kind', kind) }
  const groupVersion = parseGroupVersion(apiVersion)
  if (groupVersion === undefined) return { why: malformedVersion(apiVersion) }
  const known = completed(groupVersion, expected)
  return { given: { ...known, kind: kind === '' ? expected.kind : kind } }
}

/** What a custom object is where it says nothing. */
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

/** The name that a body gives its object; empty where it gives none. */
export function nameIn({ metadata }: Readonly<Record<string, unknown>>): string {
  const name = isObject(metadata) ? metadata['name'] : undefined
  return typeof name === 'string' ? name : ''
}
