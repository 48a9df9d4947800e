/** An object of the API as far as a client looks into it. */
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

/** The value at a path of member names; undefined: there is none. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

/** The string at a path; undefined: there is none, or it is empty. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** Entries of a list; anything else has none. */
export function listAt(value: unknown, ...path: readonly string[]): unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}
