import type { ListedMetadata } from '../watch/shapes.ts'

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

/** Nested member of any value; undefined: absent. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return undefined
    if (!Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key]
  }
  return found
}

/** Nested string; empty if absent or of another type. */
export function text(value: unknown, ...path: readonly string[]): string {
  const found = member(value, ...path)
  return typeof found === 'string' ? found : ''
}

/** Nested list; empty if absent or of another type. */
export function listOf(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = member(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Nested object; empty if absent or of another type. */
export function mapOf(value: unknown, ...path: readonly string[]): Record<string, unknown> {
  const found = member(value, ...path)
  const isMap = typeof found === 'object' && found !== null && !Array.isArray(found)
  // Sound: neither a list nor null.
  return isMap ? (found as Record<string, unknown>) : {}
}
