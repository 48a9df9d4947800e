import type { ApiObject } from '../../../meta/types.ts'
import type { IngressSpec } from '../shapes/networkingV1.ts'

export function ingressSpec(object: ApiObject): IngressSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}
