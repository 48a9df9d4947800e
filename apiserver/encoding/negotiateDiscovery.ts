import { jsonType, protobufType, type ServedType } from './mediaTypes.ts'
import { choose } from './negotiate.ts'

/** Aggregated discovery, in the version a client reads. */
export interface AggregatedDiscovery {
  version: 'v2' | 'v2beta1'
  mediaType: string
  /** The Content-Type of the answer: clients decide by its parameters how to read the body. */
  contentType: string
}

/** Whether and how a client wants all groups in one document, for `/api` and `/apis`. Undefined: it wants, or can be
 *  given, the legacy documents only; these are negotiated like anything else. Clauses that ask for no aggregated form
 *  do not count here, however much they are wanted. Source: reference 6.2 and 0.4. */
export function negotiateAggregatedDiscovery(
  accept: string | undefined,
): AggregatedDiscovery | undefined {
  const chosen = choose(accept, types, (convert, { mediaType }) => {
    if (convert?.group !== group || convert.kind !== kind) return false
    return convert.version === 'v2' || (convert.version === 'v2beta1' && mediaType === jsonType)
  })
  const version = chosen?.negotiated.convert?.version
  if (chosen === undefined || version === undefined || !isVersion(version)) return undefined
  const { mediaType } = chosen.negotiated
  return { version, mediaType, contentType: `${mediaType};g=${group};v=${version};as=${kind}` }
}

/** Only the newer version has a protobuf form: what asks for the older one reads JSON. */
const types: readonly ServedType[] = [
  { mediaType: jsonType, streams: false, served: true },
  { mediaType: protobufType, streams: false, served: true },
]

const group = 'apidiscovery.k8s.io'
const kind = 'APIGroupDiscoveryList'

function isVersion(version: string): version is AggregatedDiscovery['version'] {
  return version === 'v2' || version === 'v2beta1'
}
