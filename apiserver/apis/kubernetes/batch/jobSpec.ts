import type { ApiObject } from '../../../meta/types.ts'
import type { JobSpec } from '../shapes/batchV1.ts'

export function jobSpec(object: ApiObject): JobSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}

export const isIndexed = ({ completionMode }: JobSpec) => completionMode === 'Indexed'
