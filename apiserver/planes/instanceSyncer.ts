import type { ExpressionRuntime } from '../../syncer/expressions/expressionRuntime.ts'
import type { RunningSyncer, StartSyncerOptions } from '../../syncer/startSyncer.ts'
import { WorkQueue } from '../runtime/workQueue.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'
import type { ApiObject } from '../meta/types.ts'
import type { HostPlace } from './hostCopies.ts'
import type { HostHome, HostProblem } from './hostNamespaces.ts'
import { readConfiguration, valuesOf } from './syncedInstance.ts'

export interface InstanceSyncerOptions {
  instances: Store
  clusters: Store
  /** The instance. */
  name: ObjectName
  /** Where a plane is reached, by this server itself. */
  virtual: StartSyncerOptions['virtual']
  hostOf: (cluster: string) => StartSyncerOptions['host']
  /** Told of where it is synced to, while nobody syncs it, before the first write there; undefined: nowhere any more. */
  move: (place: HostPlace | undefined, signal: AbortSignal) => Promise<void>
  homeOf: (instance: ApiObject) => HostHome
  /** Makes the host namespace the instance's; gives why it cannot be. */
  claim: (home: HostHome, signal: AbortSignal) => Promise<HostProblem | undefined>
  shared: Pick<StartSyncerOptions, 'domain' | 'clock' | 'random' | 'report'>
  /** Evaluates the expressions of all instances. */
  runtime: () => Promise<ExpressionRuntime>
}

/** What an instance says of where and how it is synced. */
interface Wanted {
  home: HostHome
  /** Whether there is such a cluster. */
  isThere: boolean
  /** The configuration as a YAML document. */
  values: string
}

/** Syncs an instance to its host cluster as long as its plane is open, and follows the instance: another configuration
 *  takes effect on the running syncer, another host starts another one. A configuration with something wrong in it leaves
 *  everything as it was, until there is another one, and so does a host namespace that is somebody else's. */
export class InstanceSyncer {
  readonly #options: InstanceSyncerOptions
  readonly #stopFollowing: (() => void)[] = []
  /** One key, the instance's: what fails is tried again, later each time. */
  readonly #queue: WorkQueue
  #running: RunningSyncer | undefined
  /** Of the last turn that came to its end; undefined: there was none. */
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
      // The host may come or go.
      clusters.cache.onChange(({ entry, previous }) => {
        if (entry === undefined || previous === undefined) this.#next()
      }),
    )
    this.#next()
  }

  /** Resolves when nothing of it is on its way any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const stop of this.#stopFollowing) stop()
    this.#queue.stop()
    // Whatever it failed of was reported. What it has begun to write ends first.
    await this.#turn.catch(() => undefined)
    await this.#running?.stop()
  }

  #next(): void {
    const { namespace, name } = this.#options.name
    this.#queue.add(`${namespace}/${name}`)
  }

  /** Each wait in it ends with the signal, and none of them is for an answer of the planes that are synced. */
  async #settle(signal: AbortSignal): Promise<void> {
    try {
      await this.#bringAbout(signal)
    } catch (error) {
      if (!this.#isStopped) throw error
    }
  }

  async #bringAbout(signal: AbortSignal): Promise<void> {
    const wanted = this.#wanted()
    // It is gone, or the server stops; whoever closes the plane sees to what is left.
    if (wanted === undefined) return
    const { home, isThere, values } = wanted
    const host = JSON.stringify([home.cluster, home.namespace, isThere])
    const isElsewhere = host !== this.#settled?.host
    if (isThere && (isElsewhere || this.#running === undefined)) {
      // The instance shows why not, and changes when that is over.
      if ((await this.#options.claim(home, signal)) !== undefined) return
    }
    signal.throwIfAborted()
    if (isElsewhere) await this.#moveTo(wanted, signal)
    signal.throwIfAborted()
    // Without a last turn nothing runs yet.
    if (isThere && values !== this.#settled?.values) await this.#apply(wanted)
    this.#settled = { host, values }
  }

  async #moveTo(
    { home: { cluster, namespace }, isThere }: Wanted,
    signal: AbortSignal,
  ): Promise<void> {
    const { move, name } = this.#options
    await this.#running?.stop()
    this.#running = undefined
    this.#settled = undefined
    // What was in a cluster went with it.
    if (isThere) await move({ cluster, namespace, name: name.name }, signal)
    else if (cluster === '') await move(undefined, signal)
  }

  async #apply(wanted: Wanted): Promise<void> {
    const { config, problems } = await readConfiguration(wanted.values, this.#options.runtime)
    // What is wrong is shown in the instance, and no time mends it.
    if (problems.length > 0 || this.#isStopped) return
    if (this.#running === undefined) this.#running = await this.#start(wanted, config)
    else await this.#running.update(config)
  }

  #wanted(): Wanted | undefined {
    const { instances, clusters, name, homeOf } = this.#options
    const instance = instances.cache.get(instances.keyOf(name))?.object()
    if (instance === undefined) return undefined
    const home = homeOf(instance)
    const key = clusters.keyOf({ namespace: '', name: home.cluster })
    return { home, isThere: clusters.cache.get(key) !== undefined, values: valuesOf(instance) }
  }

  async #start({ home }: Wanted, config: unknown): Promise<RunningSyncer> {
    const { virtual, hostOf: targetOf, name, shared, runtime } = this.#options
    // Heavy, and only for those who sync.
    const { startSyncer } = await import('../../syncer/startSyncer.ts')
    const host = targetOf(home.cluster)
    const place = { virtual, host, name: name.name, hostNamespace: home.namespace }
    return startSyncer({ ...shared, ...place, config, runtime: await runtime() })
  }
}
