import type { ResourceSet } from '../apiserver/registry/resourceSet.ts'
import { documentKeys } from './documentKeys.ts'

export interface IndexV3 {
  paths: Record<string, { serverRelativeURL: string }>
}

/** `/openapi/v3`: the documents and where they are. `hashOf` gives a document's hash by its key. URLs begin with
 *  `/openapi/v3`, which clients take relative to the server's own path prefix. Source: reference 6.5. */
export function openapiV3Index(set: ResourceSet, hashOf: (key: string) => string): IndexV3 {
  const entries = [...documentKeys(set).keys()].map(
    (key) => [key, { serverRelativeURL: `/openapi/v3/${key}?hash=${hashOf(key)}` }] as const,
  )
  return { paths: Object.fromEntries(entries) }
}
