import type { ApiObject } from '../../../meta/types.ts'
import { allContainers } from '../core/pod/podDefaults.ts'
import type { PodTemplate } from '../core/pod/podTypes.ts'
import type { SpecSelector } from '../labelSelection.ts'

/** Fields that all kinds with a pod template share. */
export interface WorkloadSpec {
  replicas?: number
  selector?: SpecSelector | null
  template?: PodTemplate
  minReadySeconds?: number
  revisionHistoryLimit?: number
  [field: string]: unknown
}

export interface Workload extends ApiObject {
  spec: WorkloadSpec
  status: Record<string, unknown>
}

export function asWorkload(object: ApiObject): Workload {
  object['spec'] ??= {}
  object['status'] ??= {}
  // The schema says what spec and status hold, and both are there now.
  return object as Workload
}

export function statusOf(object: ApiObject): Readonly<Record<string, unknown>> {
  // The schema says that a status is an object.
  return (object['status'] ?? {}) as Record<string, unknown>
}

/** The pod spec of a template; empty if it is missing, which validation reports. */
export function podSpecIn(template: PodTemplate | undefined) {
  return template?.spec ?? {}
}

/** Names of the containers, or their images, joined as columns show them. */
export function containersText(template: PodTemplate | undefined, field: 'name' | 'image'): string {
  const { containers = null } = podSpecIn(template)
  return allContainers({ containers })
    .map((container) => container[field] ?? '')
    .join(',')
}
