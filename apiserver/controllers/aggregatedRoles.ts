import {
  aggregatedRules,
  aggregationOf,
  selectsLabels,
  type LabelSelectorField,
} from '../authorization/rbac/roleAggregation.ts'
import type { Clock } from '../meta/clock.ts'
import type { ApiObject } from '../meta/types.ts'
import { ignoreNotFound } from '../registry/ignoring.ts'
import type { Store } from '../registry/store.ts'
import { runPaced } from '../meta/waiting/steps.ts'
import { systemContext } from '../registry/systemContext.ts'
import { WorkQueue } from '../runtime/workQueue.ts'

type Entry = NonNullable<ReturnType<Store['cache']['get']>>

export interface AggregatedRolesOptions {
  clusterRoles: Store
  clock: Clock
  /** Called with errors that will be retried. */
  report: (error: unknown) => void
}

/** Fills in the rules of aggregated ClusterRoles. Source: Kubernetes documentation, "Aggregated ClusterRoles". */
export class AggregatedRoles {
  readonly #clusterRoles: Store
  readonly #queue: WorkQueue
  /** Selectors of aggregated roles, by role name. */
  readonly #gathering = new Map<string, LabelSelectorField[]>()
  readonly #roles = new WeakMap<Entry, ApiObject>()
  #stopFollowing: (() => void) | undefined

  constructor({ clusterRoles, clock, report }: AggregatedRolesOptions) {
    this.#clusterRoles = clusterRoles
    const work = (name: string) => this.#fill(name)
    this.#queue = new WorkQueue({ clock, report, work, concurrency: 1 })
  }

  async start(): Promise<void> {
    const { cache } = this.#clusterRoles
    await cache.warm()
    this.#stopFollowing = cache.onChange(({ key, entry, previous }) =>
      this.#changed(key, entry && this.#read(entry), previous && this.#read(previous)),
    )
    for (const entry of cache.all()) this.#changed(entry.key, this.#read(entry), undefined)
  }

  stop(): void {
    this.#stopFollowing?.()
    this.#queue.stop()
  }

  /** Decodes each role only once, although every aggregated role examines it. */
  #read(entry: Entry): ApiObject {
    let role = this.#roles.get(entry)
    if (role === undefined) this.#roles.set(entry, (role = entry.object()))
    return role
  }

  #changed(key: string, next: ApiObject | undefined, previous: ApiObject | undefined): void {
    const name = key.slice(this.#clusterRoles.keyPrefix.length)
    const selectors = next && aggregationOf(next)
    if (selectors === undefined) this.#gathering.delete(name)
    else {
      this.#gathering.set(name, selectors)
      this.#queue.add(name)
    }
    const states = [next, previous].filter((state) => state !== undefined)
    for (const [other, wanted] of this.#gathering) {
      const isSelected = states.some(({ metadata }) =>
        wanted.some((selector) => selectsLabels(selector, metadata.labels)),
      )
      if (isSelected) this.#queue.add(other)
    }
  }

  async #fill(name: string): Promise<void> {
    const store = this.#clusterRoles
    const entry = store.cache.get(store.keyOf({ namespace: '', name }))
    if (entry === undefined) return
    const role = this.#read(entry)
    const others = [...store.cache.all()].map((entry) => this.#read(entry))
    const rules = await runPaced(aggregatedRules(role, others))
    if (rules === undefined || JSON.stringify(rules) === JSON.stringify(role['rules'])) return
    const transform = (old: ApiObject): ApiObject =>
      aggregationOf(old) === undefined ? old : { ...old, rules }
    await store
      .update({ namespace: '', name }, { transform }, systemContext())
      .catch(ignoreNotFound)
  }
}
