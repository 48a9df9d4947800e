import { maxBodyWeight } from '../../encoding/json.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'

/** Of a kind that is answered and not kept: everybody may ask for a review. */
const maxAnsweredWeight = 10_000

/** How heavy the body of a request about a kind may be, as `jsonShape` weighs it. */
export function maxWeightOf(resource: ResourceDefinition | undefined): number {
  if (resource?.maxWeight !== undefined) return resource.maxWeight
  return resource?.answers === undefined ? maxBodyWeight : maxAnsweredWeight
}
