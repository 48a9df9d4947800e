import type { ApiObject } from '../../../meta/types.ts'

/** The part of an access key's spec that determines its user and rights. */
export interface AccessKeySpec {
  key?: string
  user?: string
  team?: string
  subject?: string
  groups?: string[]
  ttl?: number
  type?: string
  scope?: Record<string, unknown>
  identity?: { connectorData?: string; [field: string]: unknown }
  identityRefresh?: string
  oidcProvider?: object
  oidcLogin?: object
}

export function specOf(object: ApiObject): AccessKeySpec {
  // The store gives every object with a spec field a spec; the schema check refuses other types.
  return object['spec'] as AccessKeySpec
}

/** The spec before the schema check; a value that is not an object counts as empty. */
export function uncheckedSpecOf(object: ApiObject): AccessKeySpec {
  const spec = object['spec']
  // The schema check refuses wrong types right after.
  return typeof spec === 'object' && spec !== null ? spec : {}
}
