import type { ApiObject } from '../../../meta/types.ts'

/** The part of an access key's spec that says who it lets in, and to what. */
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
  // The store gives every object with a spec field one; the schema check refuses other types.
  return object['spec'] as AccessKeySpec
}

/** The same before the schema check: what is no object is taken for an empty one. */
export function uncheckedSpecOf(object: ApiObject): AccessKeySpec {
  const spec = object['spec']
  // What has a wrong type is refused by the schema right after.
  return typeof spec === 'object' && spec !== null ? spec : {}
}
