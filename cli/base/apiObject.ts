/** Object of the API, limited to what clients read. */
export interface ApiObject {
  kind?: string
  apiVersion?: string
  metadata: {
    name?: string
    generateName?: string
    namespace?: string
    uid?: string
    resourceVersion?: string
    creationTimestamp?: string | null
    deletionTimestamp?: string | null
    labels?: Record<string, string>
    annotations?: Record<string, string>
  }
  spec?: Record<string, unknown>
  status?: Record<string, unknown>
  [field: string]: unknown
}

export interface ApiList {
  kind?: string
  apiVersion?: string
  metadata: { resourceVersion?: string; continue?: string }
  items: ApiObject[]
}

/** Value at a path of member names; undefined: absent. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

/** String at a path; undefined: absent or empty. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** Entries of a list; empty for anything else. */
export function listAt(value: unknown, ...path: readonly string[]): unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}
