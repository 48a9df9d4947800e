import type { ParentSubresource } from '../../registry/resource.ts'
import type { Strategy } from '../../registry/strategy.ts'
import { keepMetadata } from '../../registry/write/keepMetadata.ts'

/**
 * Strategy of a status that is reported by another program. As for custom kinds, it changes nothing but the status:
 * labels and annotations have effects of their own, and an owner that does not exist deletes the object.
 */
export const reportedStatus: Strategy = { resetsContent: true, prepareForUpdate: keepMetadata }

/** Status subresource of a kind of the management group. */
export function reportedSubresource(strategy: Strategy = reportedStatus): ParentSubresource {
  return {
    name: 'status',
    verbs: ['get', 'update', 'patch'],
    strategy,
    resets: [['f:metadata']],
  }
}
