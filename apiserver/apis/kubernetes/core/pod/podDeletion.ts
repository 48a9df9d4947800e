import type { ApiObject } from '../../../../meta/types.ts'
import type { ObjectLookup } from '../../../../registry/strategy.ts'
import { asPod, type Pod } from './podTypes.ts'

const nodes = { group: '', resource: 'nodes' }
const ended = ['Succeeded', 'Failed']

/** Grace period in which the node's agent ends the deletion: 0 for a pod that has terminated or has no node. Source:
 *  Kubernetes documentation, "Termination of Pods"; the real server's answers. */
export function podGrace(
  object: ApiObject,
  requestedSeconds: number | undefined,
  isThere: ObjectLookup,
): number {
  const pod = asPod({ ...object })
  if (!isOnNode(pod, isThere) || ended.includes(pod.status.phase ?? '')) return 0
  const seconds = requestedSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 0
  return seconds < 0 ? 1 : seconds
}

/**
 * Reports whether the pod is on a node that exists. The deletion of any other pod would never
 * complete, since no controller here cleans up after deleted nodes.
 */
export function isOnNode({ spec: { nodeName = '' } }: Pod, isThere: ObjectLookup): boolean {
  return nodeName !== '' && isThere(nodes, { namespace: '', name: nodeName })
}
