import type { ApiObject } from '../../../../meta/types.ts'

interface Capacity {
  capacity?: Record<string, string>
  allocatable?: Record<string, string>
}

/**
 * Sets allocatable resources to the capacity, since nothing is reserved. Changes `node`. Source:
 * seen on kube-apiserver 1.37.2.
 */
export function fillAllocatable(node: ApiObject): void {
  const { capacity, allocatable } = statusOf(node)
  if (capacity !== undefined && allocatable === undefined)
    statusOf(node).allocatable = { ...capacity }
}

/**
 * Sets allocatable resources if their map is empty, which is stored as a missing one. Changes
 * `node`.
 */
export function refillAllocatable(node: ApiObject): void {
  const status = statusOf(node)
  if (Object.keys(status.allocatable ?? {}).length === 0) delete status.allocatable
  fillAllocatable(node)
}

function statusOf(node: ApiObject): Capacity {
  // Guaranteed by the schema; the fallback is never written to.
  return (node['status'] as Capacity | undefined) ?? {}
}
