import type { ExpressionRuntime } from '../../syncer/expressions/expressionRuntime.ts'
import type { RunningSyncer, StartSyncerOptions } from '../../syncer/startSyncer.ts'
import { decodeYaml } from '../encoding/yaml.ts'
import { WorkQueue } from '../controllers/workQueue.ts'
import { isObject } from '../meta/isObject.ts'
import type { ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'
import type { Stoppable } from './openedPlane.ts'

export interface InstanceSyncerOptions {
  instances: Store
  clusters: Store
  /** The instance. */
  name: ObjectName
  /** Where a plane is reached, by this server itself. */
  virtual: StartSyncerOptions['virtual']
  hostOf: (cluster: string) => StartSyncerOptions['host']
  /** Makes a namespace of a host cluster where it is missing. */
  ensureNamespace: (cluster: string, name: string) => Promise<void>
  /** The namespace on the host where the instance names none. */
  defaultHostNamespace: string
  shared: Pick<StartSyncerOptions, 'domain' | 'clock' | 'random' | 'report'>
  /** Evaluates the expressions of all instances. */
  runtime: () => Promise<ExpressionRuntime>
}

/** What an instance says of where and how it is synced. */
interface Wanted {
  cluster: string
  hostNamespace: string
  config: unknown
}

/** Syncs an instance to its host cluster as long as its plane is open, and follows the instance: another configuration
 *  takes effect on the running syncer, another host starts another one. */
export class InstanceSyncer implements Stoppable {
  readonly #options: InstanceSyncerOptions
  readonly #stopFollowing: (() => void)[] = []
  /** One key: what fails is tried again, later each time. */
  readonly #queue: WorkQueue
  #running: RunningSyncer | undefined
  #host = ''
  #config = ''
  readonly #stopped = new AbortController()

  constructor(options: InstanceSyncerOptions) {
    this.#options = options
    const { instances, clusters, name, shared } = options
    const { clock, report } = shared
    this.#queue = new WorkQueue({ clock, report, concurrency: 1, work: () => this.#settle() })
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

  stop(): void {
    this.#stopped.abort()
    for (const stop of this.#stopFollowing) stop()
    this.#queue.stop()
    const { report } = this.#options.shared
    void this.#running?.stop().catch(report)
  }

  #next(): void {
    this.#queue.add('')
  }

  async #settle(): Promise<void> {
    const wanted = await this.#wanted()
    const host = wanted === undefined ? '' : JSON.stringify([wanted.cluster, wanted.hostNamespace])
    if (host !== this.#host) {
      await this.#running?.stop()
      this.#running = undefined
      this.#host = host
    }
    if (wanted === undefined) return
    const config = JSON.stringify(wanted.config)
    if (this.#running === undefined) this.#running = await this.#start(wanted)
    else if (config !== this.#config) await this.#running.update(wanted.config)
    this.#config = config
    // It may have been stopped as it became ready.
    if (this.#stopped.signal.aborted) await this.#running?.stop()
  }

  /** Undefined: it has no host, or none that is there. */
  async #wanted(): Promise<Wanted | undefined> {
    const { instances, clusters, name, defaultHostNamespace } = this.#options
    const instance = instances.cache.get(instances.keyOf(name))?.object()
    if (instance === undefined) return undefined
    // The schema of the kind says what its reference to a cluster holds.
    const spec = instance['spec'] as { clusterRef?: ClusterReference } | undefined
    const { cluster = '', namespace = '' } = spec?.clusterRef ?? {}
    if (clusters.cache.get(clusters.keyOf({ namespace: '', name: cluster })) === undefined) {
      return undefined
    }
    const hostNamespace = namespace === '' ? defaultHostNamespace : namespace
    return { cluster, hostNamespace, config: await configOf(instance) }
  }

  /** Undefined: it was stopped meanwhile. */
  async #start(wanted: Wanted): Promise<RunningSyncer | undefined> {
    try {
      return await this.#startSyncer(wanted)
    } catch (error) {
      if (this.#stopped.signal.aborted) return undefined
      throw error
    }
  }

  async #startSyncer({ cluster, hostNamespace, config }: Wanted): Promise<RunningSyncer> {
    const { virtual, hostOf, ensureNamespace, name, shared, runtime } = this.#options
    await ensureNamespace(cluster, hostNamespace)
    // Heavy, and only for those who sync.
    const { startSyncer } = await import('../../syncer/startSyncer.ts')
    const place = { virtual, host: hostOf(cluster), name: name.name, hostNamespace }
    const { signal } = this.#stopped
    return startSyncer({ ...shared, ...place, config, runtime: await runtime(), signal })
  }
}

interface ClusterReference {
  cluster?: string
  namespace?: string
}

/** The values that the virtual cluster is installed with: its configuration. */
async function configOf(instance: ApiObject): Promise<unknown> {
  const template = part(instance['status'], 'virtualCluster') ?? part(instance['spec'], 'template')
  const values = part(part(template, 'helmRelease'), 'values')
  if (typeof values !== 'string' || values.trim() === '') return {}
  return (await decodeYaml(Buffer.from(values))).value ?? {}
}

function part(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}
