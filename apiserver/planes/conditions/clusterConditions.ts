import {
  clusterProblem,
  shownProblem,
  type ClusterProblem,
} from '../../apis/management/clusterStanding.ts'
import type { Clock } from '../../meta/clock.ts'
import { hasReason } from '../../meta/status.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { Store } from '../../registry/store.ts'
import type { ObjectName } from '../../registry/storeTypes.ts'
import { systemContext } from '../../registry/systemContext.ts'
import {
  conditionOf,
  InstanceQueue,
  isSameCondition,
  showCondition,
  type WantedCondition,
} from './instanceConditions.ts'
import { hostOf } from '../syncedInstance.ts'

export interface ClusterConditionsOptions {
  /** Virtual clusters or spaces. */
  instances: Store
  clusters: Store
  /** True if an instance cannot exist without a cluster. */
  needsCluster: boolean
  clock: Clock
  report: (error: unknown) => void
}

const type = 'ClusterAvailable'

/**
 * Shows in instances whether their cluster exists, as clusters are created and deleted: in phase and reason, and in a
 * condition if it was ever missing.
 */
export class ClusterConditions {
  readonly #options: ClusterConditionsOptions
  readonly #queue: InstanceQueue
  readonly #stopFollowing: (() => void)[] = []

  constructor(options: ClusterConditionsOptions) {
    this.#options = options
    this.#queue = new InstanceQueue(options, (key) => this.#look(key))
  }

  /** Starts; instances and clusters have to be in their caches. */
  start(): void {
    const { instances, clusters } = this.#options
    const ofInstances = instances.cache.onChange(({ key, entry }) => {
      if (entry !== undefined && this.#isNews(entry.object())) this.#queue.add(key)
    })
    const ofClusters = clusters.cache.onChange(({ entry, previous }) => {
      if (entry === undefined || previous === undefined) this.#lookAtAll()
    })
    this.#stopFollowing.push(ofInstances, ofClusters)
    this.#lookAtAll()
  }

  stop(): void {
    for (const stop of this.#stopFollowing) stop()
    this.#queue.stop()
  }

  #lookAtAll(): void {
    for (const entry of this.#options.instances.cache.all()) {
      if (this.#isNews(entry.object())) this.#queue.add(entry.key)
    }
  }

  #problem(instance: ApiObject): ClusterProblem | undefined {
    const { clusters, needsCluster } = this.#options
    const isThere = (name: string) =>
      clusters.cache.get(clusters.keyOf({ namespace: '', name })) !== undefined
    return clusterProblem(instance, { isThere, needsCluster })
  }

  #isNews(instance: ApiObject): boolean {
    const problem = this.#problem(instance)
    const known = conditionOf(instance, type)
    if (problem?.reason !== shownProblem(instance)) return true
    return (problem ?? known) !== undefined && !isSameCondition(known, conditionFor(problem))
  }

  async #look(key: string): Promise<void> {
    const { instances } = this.#options
    const instance = instances.cache.get(key)?.object()
    if (instance === undefined || !this.#isNews(instance)) return
    const { name = '', namespace = '' } = instance.metadata
    const problem = this.#problem(instance)
    if (problem?.reason !== shownProblem(instance)) await this.#refresh({ name, namespace })
    if (problem === undefined && conditionOf(instance, type) === undefined) return
    const { cluster } = hostOf(instance)
    const holds = (next: ApiObject) => hostOf(next).cluster === cluster
    await showCondition(
      this.#options,
      { namespace, name },
      { wanted: conditionFor(problem), holds },
    )
  }

  /** Updates an instance: the kind's strategy computes the status if it changed. */
  async #refresh(target: ObjectName): Promise<void> {
    const transform = (instance: ApiObject): ApiObject => structuredClone(instance)
    try {
      await this.#options.instances.update(target, { transform }, systemContext())
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error
    }
  }
}

function conditionFor(problem: ClusterProblem | undefined): WantedCondition {
  if (problem === undefined) return { type, status: 'True', reason: 'Available' }
  return { type, status: 'False', severity: 'Error', ...problem }
}
