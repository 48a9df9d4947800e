import type { GroupVersionKind } from '../../meta/types.ts'
import { notRegistered, unknownConversion, versionlessKinds } from './goScheme.ts'

/**
 * Decoding of delete options, for which the library has a separate table of Go types.
 * Source: apimachinery, meta/internalversion/scheme; observed answers.
 */

const tableKinds = ['Table', 'TableOptions', 'PartialObjectMetadata', 'PartialObjectMetadataList']
const optionKinds = ['ListOptions', 'GetOptions', 'PatchOptions', 'WatchEvent']
const everywhere = ['CreateOptions', 'UpdateOptions', ...versionlessKinds]

/** Reason why a body of this type is not DeleteOptions, which exist in every group version; undefined: it is. */
export function optionsSchemeProblem(given: GroupVersionKind): string | undefined {
  if (given.kind === 'DeleteOptions') return undefined
  const type = goTypeOf(given)
  return type === undefined ? notRegistered(given) : unknownConversion(type, 'v1.DeleteOptions')
}

function goTypeOf({ group, version, kind }: GroupVersionKind): string | undefined {
  if (everywhere.includes(kind)) return `v1.${kind}`
  if (group !== 'meta.k8s.io') return undefined
  if (version === 'v1beta1' && kind === 'PartialObjectMetadataList') return `v1beta1.${kind}`
  const known = version === 'v1' ? [...tableKinds, ...optionKinds] : tableKinds
  const isKnown = known.includes(kind) && (version === 'v1' || version === 'v1beta1')
  return isKnown ? `v1.${kind}` : undefined
}
