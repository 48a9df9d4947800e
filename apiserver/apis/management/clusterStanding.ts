import type { ApiObject } from '../../meta/types.ts'

/** Why an instance cannot be in its cluster. */
export interface ClusterProblem {
  reason: 'ClusterNotFound' | 'ClusterNotNamed'
  message: string
}

export interface ClusterStanding {
  /** Whether there is a cluster of this name. */
  isThere: (cluster: string) => boolean
  /** Whether there is nothing of an instance outside a cluster. */
  needsCluster: boolean
}

/** Undefined: its cluster is there, or it names none and needs none. */
export function clusterProblem(
  { spec }: ApiObject,
  { isThere, needsCluster }: ClusterStanding,
): ClusterProblem | undefined {
  // The schema of both kinds of instances says what their reference to a cluster holds.
  const { cluster = '' } =
    (spec as { clusterRef?: { cluster?: string } } | undefined)?.clusterRef ?? {}
  if (cluster === '') {
    const message = 'spec.clusterRef names no cluster'
    return needsCluster ? { reason: 'ClusterNotNamed', message } : undefined
  }
  if (isThere(cluster)) return undefined
  const message = 'the cluster that spec.clusterRef names does not exist'
  return { reason: 'ClusterNotFound', message }
}

/** The problem with its cluster that an instance's status shows; undefined: none. */
export function shownProblem({ status }: ApiObject): ClusterProblem['reason'] | undefined {
  const { reason } = (status ?? {}) as { reason?: unknown } // a map, as the schema says
  return reason === 'ClusterNotFound' || reason === 'ClusterNotNamed' ? reason : undefined
}
