import type { Seen } from './history.ts'
import { labelOf } from './history.ts'

/** ConfigMap, limited to what the traffic reads. */
export interface ApiObject {
  kind?: string
  reason?: string
  message?: string
  metadata?: { name?: string; resourceVersion?: string; continue?: string }
  data?: { value?: string }
  items?: ApiObject[]
}

export function objectOf(name: string, value: string, expected?: number): object {
  const version = expected === undefined ? {} : { resourceVersion: String(expected) }
  return { metadata: { name, labels: { side: labelOf(value) }, ...version }, data: { value } }
}

export function patchOf(value: string): object {
  return { metadata: { labels: { side: labelOf(value) } }, data: { value } }
}

export function seenOf({ data, metadata }: ApiObject): Seen {
  return { value: data?.value ?? '', revision: Number(metadata?.resourceVersion) }
}

/** Objects of the traffic: servers may add others to a namespace. */
export function isOfTraffic({ metadata }: ApiObject): boolean {
  return metadata?.name?.startsWith('t-') ?? false
}
