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
  // Sound by the schema.
  const status = node['status'] as Capacity | undefined
  if (status?.capacity !== undefined) status.allocatable ??= { ...status.capacity }
}
