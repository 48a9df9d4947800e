import type { ApiObject } from '../../../meta/types.ts'
import { allContainers } from '../core/pod/podDefaults.ts'
import type { PodTemplateSpec } from '../shapes/coreV1.ts'
import type { LabelSelector } from '../shapes/metaV1.ts'

/** Fields common to all kinds with a pod template. */
export interface WorkloadSpec {
  replicas?: number
  selector?: LabelSelector | null
  template?: PodTemplateSpec
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
  // Guaranteed by the schema; the store sets both fields.
  return object as Workload
}

export function statusOf(object: ApiObject): Readonly<Record<string, unknown>> {
  // Guaranteed by the schema.
  return (object['status'] ?? {}) as Record<string, unknown>
}

/** Pod spec of a template; empty if missing, which validation reports. */
export function podSpecIn(template: PodTemplateSpec | undefined) {
  return template?.spec ?? {}
}

/** Names of the containers, or their images, joined for columns. */
export function containersText(
  template: PodTemplateSpec | undefined,
  field: 'name' | 'image',
): string {
  const { containers = null } = podSpecIn(template)
  return allContainers({ containers })
    .map((container) => container[field] ?? '')
    .join(',')
}
