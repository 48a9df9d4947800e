import type { ListedMetadata } from '../watch/shapes.ts'

/** An object of the API. */
export interface ApiObject {
  apiVersion?: string
  kind?: string
  metadata: ListedMetadata & { generation?: number; managedFields?: readonly ManagedFields[] }
  [field: string]: unknown
}

export interface ManagedFields {
  manager?: string
  operation?: string
  time?: string
  subresource?: string
  fieldsV1?: Record<string, unknown>
}

/** Condition of a status. */
export interface Condition {
  type: string
  status: string
  reason?: string
  message?: string
  lastTransitionTime?: string
}

/** A member of a value that may be anything; undefined: there is none. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return undefined
    if (!Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key]
  }
  return found
}

/** The same, if it is a string; otherwise empty. */
export function text(value: unknown, ...path: readonly string[]): string {
  const found = member(value, ...path)
  return typeof found === 'string' ? found : ''
}

/** The same, if it is a list; otherwise empty. */
export function listOf(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = member(value, ...path)
  return Array.isArray(found) ? found : []
}

/** The same, if it is an object; otherwise empty. */
export function mapOf(value: unknown, ...path: readonly string[]): Record<string, unknown> {
  const found = member(value, ...path)
  const isMap = typeof found === 'object' && found !== null && !Array.isArray(found)
  // Sound: neither a list nor null.
  return isMap ? (found as Record<string, unknown>) : {}
}
