import { jsonType, protobufType, type ServedType } from './mediaTypes.ts'
import { choose } from './negotiate.ts'

/** Aggregated discovery in the client's version. */
export interface AggregatedDiscovery {
  version: 'v2' | 'v2beta1'
  mediaType: string
  /** The Content-Type of the response. Its parameters determine how clients decode the body. */
  contentType: string
}

/**
 * The aggregated form requested for `/api` and `/apis`. Undefined: the client requests or supports only the legacy
 * documents, which are negotiated as usual. Clauses for other forms are ignored here, whatever their preference.
 * Source: reference 6.2 and 0.4.
 */
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

/** Only the newer version has a protobuf form: clients of the older one read JSON. */
const types: readonly ServedType[] = [
  { mediaType: jsonType, streams: false },
  { mediaType: protobufType, streams: false },
]

const group = 'apidiscovery.k8s.io'
const kind = 'APIGroupDiscoveryList'

function isVersion(version: string): version is AggregatedDiscovery['version'] {
  return version === 'v2' || version === 'v2beta1'
}
