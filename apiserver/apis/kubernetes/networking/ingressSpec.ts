import type { ApiObject } from '../../../meta/types.ts'
import type { TypedReference } from './typedReference.ts'

export interface Backend {
  service?: { name?: string; port?: { name?: string; number?: number } }
  resource?: TypedReference
}

export interface IngressSpec {
  ingressClassName?: string
  defaultBackend?: Backend
  tls?: { hosts?: string[]; secretName?: string }[]
  rules?: {
    host?: string
    http?: { paths?: { path?: string; pathType?: string | null; backend?: Backend }[] | null }
  }[]
}

export interface IngressStatus {
  loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] }
}

export function ingressSpec(object: ApiObject): IngressSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}
