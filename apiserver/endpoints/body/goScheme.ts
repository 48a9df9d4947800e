import { goQuote } from '../../meta/goQuote.ts'
import { groupVersionString, type GroupVersion, type GroupVersionKind } from '../../meta/types.ts'
import { kindOfSubresource, type ResourceDefinition } from '../../registry/resource.ts'
import type { ResourceSet } from '../../registry/resourceSet.ts'

/** What the real library's table of Go types says of kinds: the texts name its types. Custom kinds are not in it.
 *  Source: apimachinery, runtime.Scheme and its conversions; reference 1.12; observed answers. */

/** Its name is the place in the library that made it. */
const schemeName = 'pkg/runtime/scheme.go:111'

/** Known in every group version that has any kind. */
const optionKinds = [
  'ListOptions',
  'GetOptions',
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
  'WatchEvent',
]
/** Known in every group version, served or not. */
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

/** Undefined for a text that names no group version; that of nothing is empty. */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  const parts = apiVersion.split('/')
  if (parts.length > 2) return undefined
  const [version = '', group = ''] = parts.reverse()
  return { group, version }
}

/** What a body of `given` cannot be read as `expected` for; undefined: it can, at most from another version. */
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

/** The kinds that are no resource: lists, options, and what has no version. */
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

/** The Go type that all versions of a kind are converted through: its package is called after the group. */
function internalType({ storedAs, ...resource }: ResourceDefinition): string {
  const { group, kind } = storedAs?.resource ?? resource
  return `${group === '' ? 'core' : (group.split('.')[0] ?? '')}.${kind}`
}

function typedKinds(resources: Pick<ResourceSet, 'all'>): ResourceDefinition[] {
  return resources
    .all()
    .filter(({ isCustom }) => isCustom !== true)
    .flatMap((one) => [one, ...(one.subresources ?? []).map((sub) => kindOfSubresource(one, sub))])
}
