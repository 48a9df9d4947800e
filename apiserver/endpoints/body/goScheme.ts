import { formOf } from '../../registry/objectForm.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { groupVersionString, type GroupVersion, type GroupVersionKind } from '../../meta/types.ts'
import { kindOfSubresource, type ResourceDefinition } from '../../registry/resource.ts'
import type { ResourceSet } from '../../registry/resourceSet.ts'

/**
 * Messages of the real library's table of Go types, which name its types. Custom kinds are not in it.
 * Source: apimachinery, runtime.Scheme and its conversions; reference 1.12; observed answers.
 */

/** Name of the table: the place in the library that created it. */
const schemeName = 'pkg/runtime/scheme.go:111'

/** Kinds of every group version that has any other kind. */
const optionKinds = [
  'ListOptions',
  'GetOptions',
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
  'WatchEvent',
]
/** Kinds of every group version, served or not. */
export const versionlessKinds: readonly string[] = [
  'Status',
  'APIVersions',
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
]

export function notRegistered({ group, version, kind }: GroupVersionKind): string {
  const where =
    version === internalVersion
      ? `the internal version of group ${goQuote(group)}`
      : `version ${goQuote(groupVersionString({ group, version }))}`
  return `no kind ${goQuote(kind)} is registered for ${where} in scheme ${goQuote(schemeName)}`
}

export function unknownConversion(from: string, to: string): string {
  return `converting (${from}) to (${to}): unknown conversion`
}

export function malformedVersion(apiVersion: string): string {
  return `unexpected GroupVersion string: ${apiVersion}`
}

/** Parses a group version; undefined: invalid. An empty string is an empty group version. */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  const parts = apiVersion.split('/')
  if (parts.length > 2) return undefined
  const [version = '', group = ''] = parts.reverse()
  return { group, version }
}

/**
 * Reason why a body of type `given` cannot be decoded as `expected`; undefined: it can, possibly from another version.
 */
export function schemeProblem(
  given: GroupVersionKind,
  expected: ResourceDefinition,
  resources: Pick<ResourceSet, 'all'>,
): string | undefined {
  const known = typedKinds(resources)
  const found = known.find((one) => isOf(one, given))
  const wanted = internalType(expected)
  if (found !== undefined) {
    return internalType(found) === wanted
      ? undefined
      : unknownConversion(`${found.version}.${found.kind}`, wanted)
  }
  const type = otherType(given, known)
  return type === undefined ? notRegistered(given) : unknownConversion(type, wanted)
}

const internalVersion = '__internal'

function isOf({ group, version, kind }: ResourceDefinition, given: GroupVersionKind): boolean {
  if (group !== given.group || kind !== given.kind) return false
  return version === given.version || given.version === internalVersion
}

/** The Go type of kinds that are not resources: lists, options, and kinds without a version. */
function otherType(
  { group, version, kind }: GroupVersionKind,
  known: readonly ResourceDefinition[],
): string | undefined {
  if (versionlessKinds.includes(kind)) return `v1.${kind}`
  const served = known.filter((one) => one.group === group && one.version === version)
  if (served.length > 0 && optionKinds.includes(kind)) return `v1.${kind}`
  const isList = served.some((one) => one.verbs.includes('list') && listKindOf(one) === kind)
  return isList ? `${version}.${kind}` : undefined
}

function listKindOf({ kind, listKind = `${kind}List` }: ResourceDefinition): string {
  return listKind
}

/** Go type through which all versions of a kind are converted; its package is named after the group. */
function internalType({ storedAs, ...resource }: ResourceDefinition): string {
  const { group, kind } = storedAs?.resource ?? resource
  return `${group === '' ? 'core' : (group.split('.')[0] ?? '')}.${kind}`
}

function typedKinds(resources: Pick<ResourceSet, 'all'>): ResourceDefinition[] {
  return resources
    .all()
    .filter((resource) => formOf(resource).isDecoded)
    .flatMap((one) => [one, ...(one.subresources ?? []).map((sub) => kindOfSubresource(one, sub))])
}
