import type { ApiObject } from '../../../../meta/types.ts'

interface Capacity {
  capacity?: Record<string, string>
  allocatable?: Record<string, string>
}

/** Without reserved resources, allocatable equals capacity. Changes `node`. Source: seen on kube-apiserver 1.37.2. */
export function fillAllocatable(node: ApiObject): void {
  // The schema says what a status holds.
  const status = node['status'] as Capacity | undefined
  if (status?.capacity !== undefined) status.allocatable ??= { ...status.capacity }
}
