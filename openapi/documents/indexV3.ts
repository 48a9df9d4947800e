export interface IndexV3 {
  paths: Record<string, { serverRelativeURL: string }>
}

/**
 * `/openapi/v3`: the documents and their URLs, from their hashes by key. URLs begin with
 * `/openapi/v3`, which clients resolve relative to the server's own path prefix. Source: reference
 * 6.5.
 */
export function openapiV3Index(hashes: ReadonlyMap<string, string>): IndexV3 {
  const entries = [...hashes].map(
    ([key, hash]) => [key, { serverRelativeURL: `/openapi/v3/${key}?hash=${hash}` }] as const,
  )
  return { paths: Object.fromEntries(entries) }
}
