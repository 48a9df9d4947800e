import type { GroupVersionKind } from '../meta/types.ts'
import { parseAccept, type AcceptClause } from './acceptHeader.ts'
import { defaultTypes, type ServedType } from './mediaTypes.ts'

/** Representations available for a response. */
export interface NegotiateOptions {
  /** Forms of the resource besides the object itself. Tables are only available in JSON and YAML. */
  transforms: Transforms
  /** True if the request is a watch: the preferred type must support streaming; no other is tried. */
  stream?: boolean
  /** Default: JSON, YAML, and protobuf for metadata. */
  types?: readonly ServedType[]
}

export type Transforms = 'none' | 'metadata' | 'table-and-metadata'

export interface Negotiated {
  /** The bare media type, which is also the response's Content-Type. */
  readonly mediaType: string
  /** True if the clause contains `pretty=1`. */
  readonly pretty: boolean
  /**
   * The requested form: Table, PartialObjectMetadata or PartialObjectMetadataList of meta.k8s.io. Absent: the object
   * itself.
   */
  readonly convert?: Readonly<GroupVersionKind>
  /** The `stream` parameter: empty or `watch`. */
  readonly stream: string
}

/**
 * The representation for an Accept header, selected by the first clause that a type satisfies.
 * Absent or empty: the first type. Undefined: none, so 406 with `acceptedTypes`. Source: reference
 * 1.9.
 */
export function negotiate(
  accept: string | undefined,
  { transforms, stream = false, types = defaultTypes }: NegotiateOptions,
): Negotiated | undefined {
  const chosen = choose(accept, types, (convert, type) => allows(transforms, convert, type))
  if (chosen === undefined || (stream && !chosen.type.streams)) return undefined
  return chosen.negotiated
}

/** Reports whether `type` is allowed in the form of a clause; `convert` undefined: the object itself. */
type Allows = (convert: GroupVersionKind | undefined, type: ServedType) => boolean

interface Choice {
  negotiated: Negotiated
  type: ServedType
}

/** The first clause, by preference, that a type satisfies, with the first such type. */
export function choose(
  accept: string | undefined,
  types: readonly ServedType[],
  allows: Allows,
): Choice | undefined {
  const [first] = types
  if (accept === undefined || accept === '') {
    if (first === undefined) return undefined
    return { negotiated: { mediaType: first.mediaType, pretty: false, stream: '' }, type: first }
  }
  for (const clause of parseAccept(accept)) {
    const type = types.find((candidate) => passes(clause, candidate, allows))
    if (type !== undefined) return { negotiated: negotiated(clause, type), type }
  }
  return undefined
}

function passes(clause: AcceptClause, type: ServedType, allows: Allows): boolean {
  const { parameters } = clause
  const stream = parameters.get('stream')
  if (stream !== undefined && (stream !== 'watch' || !type.streams)) return false
  // `sv` requests a server version, which is not supported.
  return !parameters.has('sv') && matches(clause, type) && allows(conversion(clause), type)
}

/** Reports whether a clause's type or wildcard covers a type, ignoring parameters. */
function matches(clause: AcceptClause, { mediaType }: ServedType): boolean {
  const [type, subtype] = mediaType.split('/')
  if (clause.type === '*') return clause.subtype === '*'
  return clause.type === type && (clause.subtype === '*' || clause.subtype === subtype)
}

function negotiated(clause: AcceptClause, { mediaType }: ServedType): Negotiated {
  const convert = conversion(clause)
  return {
    mediaType,
    pretty: clause.parameters.get('pretty') === '1',
    stream: clause.parameters.get('stream') ?? '',
    ...(convert === undefined ? {} : { convert }),
  }
}

function conversion({ parameters }: AcceptClause): GroupVersionKind | undefined {
  const [kind, group, version] = [parameters.get('as'), parameters.get('g'), parameters.get('v')]
  if (kind === undefined && group === undefined && version === undefined) return undefined
  return { group: group ?? '', version: version ?? '', kind: kind ?? '' }
}

function allows(
  transforms: Transforms,
  convert: GroupVersionKind | undefined,
  { mediaType, onlyMetadata }: ServedType,
): boolean {
  if (convert === undefined) return onlyMetadata !== true
  const { group, version, kind } = convert
  if (transforms === 'none' || group !== 'meta.k8s.io') return false
  if (version !== 'v1' && version !== 'v1beta1') return false
  if (kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList') return true
  const textual = mediaType === 'application/json' || mediaType === 'application/yaml'
  return kind === 'Table' && transforms === 'table-and-metadata' && textual
}
