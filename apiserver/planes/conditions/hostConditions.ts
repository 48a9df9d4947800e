import type { Clock, Timer } from '../../meta/clock.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { Store } from '../../registry/store.ts'
import type { ObjectName } from '../../registry/storeTypes.ts'
import type { Entry } from '../../watch/cacheEntry.ts'
import type { HostNamespace, HostNamespaces, HostProblem } from '../hostNamespaces.ts'
import {
  conditionOf,
  InstanceQueue,
  isSameCondition,
  showCondition,
  type WantedCondition,
} from './instanceConditions.ts'

export interface HostConditionsOptions {
  instances: Store
  namespaces: HostNamespaces
  clock: Clock
  /** Called with each new problem of a host namespace. */
  warn: (fields: Readonly<Record<string, string>>, message: string) => void
  report: (error: unknown) => void
}

const type = 'HostNamespaceAvailable'
/** A string in the bytes of every instance that names a cluster. */
const word = '"clusterRef":'
/** Interval of checks, since the owner of a namespace may release it without notice. */
const lookAgainMs = 30_000

/**
 * Shows in an instance whether its host namespace belongs to another owner, even while its plane is
 * idle. An instance that never had this problem has no such condition.
 */
export class HostConditions {
  readonly #options: HostConditionsOptions
  readonly #queue: InstanceQueue
  /** Keys of instances without a usable namespace. */
  readonly #refused = new Set<string>()
  #stopFollowing: (() => void) | undefined
  #timer: Timer | undefined

  constructor(options: HostConditionsOptions) {
    this.#options = options
    this.#queue = new InstanceQueue(options, (key) => this.#look(key))
  }

  /** Starts; the instances have to be in their cache. */
  start(): void {
    const { cache } = this.#options.instances
    this.#stopFollowing = cache.onChange(({ key, entry }) => this.#changed(key, entry))
    // Other instances were checked when they were written, and are checked again when they are
    // used.
    for (const { key, bytes } of cache.all()) if (bytes.includes(`"${type}"`)) this.#queue.add(key)
  }

  stop(): void {
    this.#stopFollowing?.()
    this.#timer?.cancel()
    this.#queue.stop()
  }

  /** Claims a host namespace like HostNamespaces, and shows the result in the instance. */
  async claim(
    name: ObjectName,
    hostNamespace: HostNamespace,
    signal: AbortSignal,
  ): Promise<HostProblem | undefined> {
    const problem = await this.#options.namespaces.claim(hostNamespace, signal)
    if (problem !== undefined) this.#queue.add(this.#options.instances.keyOf(name))
    return problem
  }

  #changed(key: string, entry: Entry | undefined): void {
    if (entry === undefined) this.#refused.delete(key)
    else if (entry.bytes.includes(word)) this.#queue.add(key)
  }

  async #look(key: string): Promise<void> {
    const { instances, namespaces, warn } = this.#options
    const instance = instances.cache.get(key)?.object()
    this.#refused.delete(key)
    if (instance === undefined) return
    const hostNamespace = namespaces.hostNamespaceOf(instance)
    const problem = hostNamespace.cluster === '' ? undefined : namespaces.problem(hostNamespace)
    if (problem !== undefined) this.#lookAgain(key)
    const known = conditionOf(instance, type)
    const wanted = conditionFor(problem)
    const isQuiet = problem === undefined && known === undefined
    if (this.#queue.isStopped || isQuiet || isSameCondition(known, wanted)) return
    const { name = '', namespace = '' } = instance.metadata
    if (problem !== undefined) {
      const fields = { instance: `${namespace}/${name}`, problem: problem.message }
      warn(fields, 'host namespace of a virtual cluster refused')
    }
    const isStill = (next: ApiObject) =>
      sameNamespace(namespaces.hostNamespaceOf(next), hostNamespace)
    await showCondition(this.#options, { namespace, name }, { wanted, holds: isStill })
  }

  #lookAgain(key: string): void {
    this.#refused.add(key)
    this.#timer ??= this.#options.clock.setTimer(() => {
      this.#timer = undefined
      for (const refused of this.#refused) this.#queue.add(refused)
    }, lookAgainMs)
  }
}

function conditionFor(problem: HostProblem | undefined): WantedCondition {
  if (problem === undefined) return { type, status: 'True', reason: 'Available' }
  return { type, status: 'False', severity: 'Error', ...problem }
}

function sameNamespace(a: HostNamespace, b: HostNamespace): boolean {
  return a.cluster === b.cluster && a.namespace === b.namespace
}
