import type { ApiObject } from '../../../../meta/types.ts'
import type { Container, PodSpec, PodStatus } from '../../shapes/coreV1.ts'

/** Metadata that rules of a pod's spec read; a template has none of its own. */
export type PodMeta = Pick<ApiObject['metadata'], 'name' | 'annotations'>

export interface Pod extends ApiObject {
  spec: PodSpec
  status: PodStatus
}

export function asPod(object: ApiObject): Pod {
  object['spec'] ??= {}
  object['status'] ??= {}
  // Guaranteed by the schema; the store sets both fields.
  return object as Pod
}

/** Reports whether an init container keeps running alongside the regular containers. */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always'
}
