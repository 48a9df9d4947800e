import { maxBodyWeight } from '../../encoding/json.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'

/** Maximum weight for kinds that are not stored, such as reviews, which every user may create. */
const maxAnsweredWeight = 10_000

/** Maximum weight of a body of a kind, as computed by `jsonShape`. */
export function maxWeightOf(resource: ResourceDefinition | undefined): number {
  if (resource?.maxWeight !== undefined) return resource.maxWeight
  return resource?.answers === undefined ? maxBodyWeight : maxAnsweredWeight
}
