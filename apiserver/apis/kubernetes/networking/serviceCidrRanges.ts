import type { ApiObject } from '../../../meta/types.ts'

interface ServiceCidr {
  spec?: { cidrs?: string[] }
  status?: { conditions?: { type: string; status: string }[] }
}

/**
 * Ranges of a ServiceCIDR from which services get addresses: none while it is not ready or is being deleted. Without a
 * condition it counts as ready, since no controller may run. Source: seen on kube-apiserver 1.37.2.
 */
export function readyRanges(object: ApiObject): readonly string[] {
  if (object.metadata.deletionTimestamp !== undefined) return []
  // Sound by the schema.
  const { spec, status } = object as ServiceCidr
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  return ready === undefined || ready.status === 'True' ? (spec?.cidrs ?? []) : []
}
