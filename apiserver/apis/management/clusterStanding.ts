import type { ApiObject } from '../../meta/types.ts'

/** The reason why an instance cannot run in its cluster. */
export interface ClusterProblem {
  reason: 'ClusterNotFound' | 'ClusterNotNamed'
  message: string
}

export interface ClusterStanding {
  /** Reports whether a cluster of this name exists. */
  isThere: (cluster: string) => boolean
  /** True if an instance cannot exist without a cluster. */
  needsCluster: boolean
}

/** Problem with an instance's cluster; undefined: it exists, or none is named or needed. */
export function clusterProblem(
  { spec }: ApiObject,
  { isThere, needsCluster }: ClusterStanding,
): ClusterProblem | undefined {
  // Guaranteed by the schema of both kinds of instances.
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

/** The cluster problem in an instance's status; undefined: none. */
export function shownProblem({ status }: ApiObject): ClusterProblem['reason'] | undefined {
  const { reason } = (status ?? {}) as { reason?: unknown } // a map according to the schema
  return reason === 'ClusterNotFound' || reason === 'ClusterNotNamed' ? reason : undefined
}
