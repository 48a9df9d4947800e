import type { ApiObject } from '../../../../meta/types.ts'

interface Capacity {
  capacity?: Record<string, string>
  allocatable?: Record<string, string>
}

/**
 * Sets allocatable resources: without reserved ones, they equal the capacity. Changes `node`. Source: seen on
 * kube-apiserver 1.37.2.
 */
export function fillAllocatable(node: ApiObject): void {
  const { capacity, allocatable } = statusOf(node)
  if (capacity !== undefined && allocatable === undefined)
    statusOf(node).allocatable = { ...capacity }
}

/** Drops an empty map of allocatable resources, which is stored as a missing one, and sets them. Changes `node`. */
export function refillAllocatable(node: ApiObject): void {
  const status = statusOf(node)
  if (Object.keys(status.allocatable ?? {}).length === 0) delete status.allocatable
  fillAllocatable(node)
}

function statusOf(node: ApiObject): Capacity {
  // Sound by the schema; nothing is written to the status of a node without one.
  return (node['status'] as Capacity | undefined) ?? {}
}
