/** Object of the API, limited to what the tests read. */
export interface ApiObject {
  apiVersion?: string
  kind?: string
  metadata: Metadata
  spec?: Record<string, unknown>
}

interface Metadata {
  name?: string
  generateName?: string
  namespace?: string
  resourceVersion?: string
  uid?: string
  labels?: Record<string, string>
  finalizers?: string[] | null
  deletionTimestamp?: string
}

export interface ApiList {
  metadata: { resourceVersion: string; continue?: string }
  items: ApiObject[]
}

export const group = 'management.platform'
export const apiVersion = `${group}/v1`
const base = `/apis/${apiVersion}`

export const usersPath = `${base}/users`
export const accessKeysPath = `${base}/ownedaccesskeys`
export const namespacesPath = '/api/v1/namespaces'

export function secretsPath(namespace: string): string {
  return `${base}/namespaces/${namespace}/sharedsecrets`
}

export function user(name: string, spec: Record<string, unknown> = {}): ApiObject {
  return { apiVersion, kind: 'User', metadata: { name }, spec }
}

export function namespaceObject(name: string): ApiObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

/** Number in an object's resourceVersion. */
export function revisionOf({ metadata }: { metadata: Metadata }): number {
  return Number(metadata.resourceVersion)
}
