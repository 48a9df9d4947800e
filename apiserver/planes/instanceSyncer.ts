import type { ExpressionRuntime } from '../../syncer/expressions/expressionRuntime.ts'
import type { RunningSyncer, StartSyncerOptions } from '../../syncer/startSyncer.ts'
import { WorkQueue } from '../runtime/workQueue.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'
import type { ApiObject } from '../meta/types.ts'
import type { HostPlace } from './hostCopies.ts'
import type { HostNamespace, HostProblem } from './hostNamespaces.ts'
import { readConfiguration, valuesOf } from './syncedInstance.ts'

export interface InstanceSyncerOptions {
  instances: Store
  clusters: Store
  /** Name of the instance. */
  name: ObjectName
  /** The plane's address for this server itself. */
  virtual: StartSyncerOptions['virtual']
  hostOf: (cluster: string) => StartSyncerOptions['host']
  /** Called with the host before the first write there, while syncing is stopped; undefined: no host any more. */
  move: (place: HostPlace | undefined, signal: AbortSignal) => Promise<void>
  hostNamespaceOf: (instance: ApiObject) => HostNamespace
  /** Claims the host namespace; returns the problem, if any. */
  claim: (hostNamespace: HostNamespace, signal: AbortSignal) => Promise<HostProblem | undefined>
  shared: Pick<StartSyncerOptions, 'domain' | 'clock' | 'random' | 'report'>
  /** Evaluates the expressions of all instances. */
  runtime: () => Promise<ExpressionRuntime>
}

/** The host and sync configuration of an instance. */
interface Wanted {
  hostNamespace: HostNamespace
  /** True if the cluster exists. */
  isThere: boolean
  /** The configuration as a YAML document. */
  values: string
}

/**
 * Syncs an instance to its host cluster as long as its plane is open, and follows the instance: a new configuration is
 * applied to the running syncer, a new host starts another one. An invalid configuration, or a host namespace of
 * another owner, leaves everything unchanged until it is corrected.
 */
export class InstanceSyncer {
  readonly #options: InstanceSyncerOptions
  readonly #stopFollowing: (() => void)[] = []
  /** A queue for one key, the instance's: failures are retried with backoff. */
  readonly #queue: WorkQueue
  #running: RunningSyncer | undefined
  /** State after the last completed turn; undefined: none yet. */
  #settled: { host: string; values: string } | undefined
  #isStopped = false
  #turn: Promise<void> = Promise.resolve()

  constructor(options: InstanceSyncerOptions) {
    this.#options = options
    const { instances, clusters, name, shared } = options
    const { clock, report } = shared
    const work = (_: string, signal: AbortSignal) => (this.#turn = this.#settle(signal))
    this.#queue = new WorkQueue({ clock, report, concurrency: 1, work })
    const key = instances.keyOf(name)
    this.#stopFollowing.push(
      instances.cache.onChange((change) => {
        if (change.key === key) this.#next()
      }),
      // The host may be created or deleted.
      clusters.cache.onChange(({ entry, previous }) => {
        if (entry === undefined || previous === undefined) this.#next()
      }),
    )
    this.#next()
  }

  /** Resolves when no work is pending. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const stop of this.#stopFollowing) stop()
    this.#queue.stop()
    // Its errors were reported. Writes in progress finish first.
    await this.#turn.catch(() => undefined)
    await this.#running?.stop()
  }

  #next(): void {
    const { namespace, name } = this.#options.name
    this.#queue.add(`${namespace}/${name}`)
  }

  /**
   * Applies the state of the instance. Every wait ends with the signal, and none depends on responses of the synced
   * planes.
   */
  async #settle(signal: AbortSignal): Promise<void> {
    try {
      await this.#bringAbout(signal)
    } catch (error) {
      if (!this.#isStopped) throw error
    }
  }

  async #bringAbout(signal: AbortSignal): Promise<void> {
    const wanted = this.#wanted()
    // The instance is gone, or the server stops; closing the plane cleans up.
    if (wanted === undefined) return
    const { hostNamespace, isThere, values } = wanted
    const host = JSON.stringify([hostNamespace.cluster, hostNamespace.namespace, isThere])
    const isElsewhere = host !== this.#settled?.host
    if (isThere && (isElsewhere || this.#running === undefined)) {
      // The instance shows the problem, and changes when it is solved.
      if ((await this.#options.claim(hostNamespace, signal)) !== undefined) return
    }
    signal.throwIfAborted()
    if (isElsewhere) await this.#moveTo(wanted, signal)
    signal.throwIfAborted()
    // Without an earlier turn nothing runs yet.
    if (isThere && values !== this.#settled?.values) await this.#apply(wanted)
    this.#settled = { host, values }
  }

  async #moveTo(
    { hostNamespace: { cluster, namespace }, isThere }: Wanted,
    signal: AbortSignal,
  ): Promise<void> {
    const { move, name } = this.#options
    await this.#running?.stop()
    this.#running = undefined
    this.#settled = undefined
    // Copies in a deleted cluster are gone with it.
    if (isThere) await move({ cluster, namespace, name: name.name }, signal)
    else if (cluster === '') await move(undefined, signal)
  }

  async #apply(wanted: Wanted): Promise<void> {
    const { config, problems } = await readConfiguration(wanted.values, this.#options.runtime)
    // The problems are shown in the instance; a retry would not help.
    if (problems.length > 0 || this.#isStopped) return
    if (this.#running === undefined) this.#running = await this.#start(wanted, config)
    else await this.#running.update(config)
  }

  #wanted(): Wanted | undefined {
    const { instances, clusters, name, hostNamespaceOf } = this.#options
    const instance = instances.cache.get(instances.keyOf(name))?.object()
    if (instance === undefined) return undefined
    const hostNamespace = hostNamespaceOf(instance)
    const key = clusters.keyOf({ namespace: '', name: hostNamespace.cluster })
    return {
      hostNamespace,
      isThere: clusters.cache.get(key) !== undefined,
      values: valuesOf(instance),
    }
  }

  async #start({ hostNamespace }: Wanted, config: unknown): Promise<RunningSyncer> {
    const { virtual, hostOf: targetOf, name, shared, runtime } = this.#options
    // Loaded on demand: it is heavy, and only used for syncing.
    const { startSyncer } = await import('../../syncer/startSyncer.ts')
    const host = targetOf(hostNamespace.cluster)
    const place = { virtual, host, name: name.name, hostNamespace: hostNamespace.namespace }
    return startSyncer({ ...shared, ...place, config, runtime: await runtime() })
  }
}
