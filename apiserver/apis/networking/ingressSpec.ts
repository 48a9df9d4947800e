import type { ApiObject } from '../../meta/types.ts'

export interface Backend {
  service?: { name?: string; port?: { name?: string; number?: number } }
  resource?: unknown
}

export interface IngressSpec {
  ingressClassName?: string
  defaultBackend?: Backend
  tls?: { hosts?: string[]; secretName?: string }[]
  rules?: {
    host?: string
    http?: { paths?: { path?: string; pathType?: string; backend?: Backend }[] }
  }[]
}

export function ingressSpec(object: ApiObject): IngressSpec {
  // The schema says what the spec holds, and the store gives every object one.
  return object['spec'] ?? {}
}
