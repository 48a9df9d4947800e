import { failureFields } from '../../syncer/engine/syncFailure.ts'
import type { ExpressionRuntime } from '../../syncer/expressions/expressionRuntime.ts'
import { bounded } from '../meta/waiting/bounded.ts'
import type { Clock, Random } from '../meta/clock.ts'
import type { Store } from '../registry/store.ts'
import { InstanceSyncer } from './instanceSyncer.ts'
import { HostConditions } from './conditions/hostConditions.ts'
import type { HostCopies } from './hostCopies.ts'
import { HostNamespaces, type HostNamespacesOptions } from './hostNamespaces.ts'
import type { Stoppable } from './openedPlane.ts'
import type { ObjectName } from '../registry/storeTypes.ts'
import type { PlaneObject } from './planeObject.ts'
import { SyncConditions } from './conditions/syncConditions.ts'

export interface InstanceSyncersOptions extends HostNamespacesOptions {
  instances: Store
  clock: Clock
  random: Random
  /** A token with access to every plane of this server, known only to the server. A secret. */
  token: string
  /** The address of this server. */
  address: () => { url: string; caCertificate: string | undefined }
  copies: HostCopies
  /** Called with problems that users have to correct. */
  warn: (fields: Readonly<Record<string, string>>, message: string) => void
  report: (error: unknown) => void
}

/** Time limit of a stopped syncer to finish its writes. */
const endMs = 60_000

const nothing: Stoppable = { stop: () => undefined }

/**
 * Syncs virtual clusters of this server to their host clusters, each as an ordinary client of both
 * planes, and shows problems in the instances.
 */
export class InstanceSyncers {
  readonly #options: InstanceSyncersOptions
  readonly #namespaces: HostNamespaces
  #hostConditions: HostConditions
  #syncConditions: SyncConditions
  /** Stopped syncers with pending writes, by the uid of the instance. */
  readonly #ending = new Map<string, Promise<void>>()
  #runtime: Promise<ExpressionRuntime & { close(): Promise<void> }> | undefined

  constructor(options: InstanceSyncersOptions) {
    this.#options = options
    this.#namespaces = new HostNamespaces(options)
    this.#hostConditions = this.#newHostConditions()
    this.#syncConditions = this.#newSyncConditions()
  }

  /** Starts showing problems. The instances have to be in their cache. */
  start(): void {
    this.#hostConditions = this.#newHostConditions()
    this.#syncConditions = this.#newSyncConditions()
    this.#hostConditions.start()
    this.#syncConditions.start()
  }

  /** Stops showing problems, until the next start. */
  pause(): void {
    this.#hostConditions.stop()
    this.#syncConditions.stop()
  }

  #newHostConditions(): HostConditions {
    return new HostConditions({ ...this.#options, namespaces: this.#namespaces })
  }

  #newSyncConditions(): SyncConditions {
    return new SyncConditions({ ...this.#options, runtime: () => this.expressions() })
  }

  /** Starts syncing an opened plane, if it belongs to a virtual cluster. */
  follow({ target, name, store }: PlaneObject): Stoppable {
    const { names, clusters, instances, copies, clock, random } = this.#options
    const uid = instances.cache.get(instances.keyOf(name))?.object().metadata.uid
    if (target.plane !== 'virtualCluster' || store !== instances || uid === undefined) {
      return nothing
    }
    const { project, virtualCluster } = target
    const before = this.#ending.get(uid)
    const syncer = new InstanceSyncer({
      ...{ instances, clusters, name },
      move: async (place, signal) => {
        const what = `the end of the earlier syncer of ${name.namespace}/${name.name}`
        await bounded({ clock, ms: endMs, what, signals: [signal] }, async () => before)
        await copies.move(uid, place, signal)
      },
      virtual: this.#target(`project/${project}/virtualcluster/${virtualCluster}`),
      hostNamespaceOf: (instance) => this.#namespaces.hostNamespaceOf(instance),
      claim: (hostNamespace, signal) => this.#hostConditions.claim(name, hostNamespace, signal),
      hostOf: (cluster) => this.#target(`cluster/${cluster}`),
      shared: { domain: names.domain, clock, random, report: this.#reporter(name) },
      runtime: () => this.expressions(),
    })
    return { stop: () => this.#end(uid, syncer) }
  }

  /** Reports sync errors as warnings without a stack: most are caused by users' input. */
  #reporter({ namespace, name }: ObjectName): (error: unknown) => void {
    const instance = `${namespace}/${name}`
    const message = 'sync of a virtual cluster failed; retrying'
    return (error) => this.#options.warn({ instance, ...failureFields(error) }, message)
  }

  /**
   * Resolves when the syncer of an instance no longer has pending work.
   * @throws DeadlineError if that takes too long: retry.
   */
  async ended(uid: string, signal: AbortSignal): Promise<void> {
    const what = `the end of the syncer of the deleted instance ${uid}`
    const bounds = { clock: this.#options.clock, ms: endMs, what, signals: [signal] }
    await bounded(bounds, async () => this.#ending.get(uid))
  }

  /** Stops shared parts; syncers are stopped when their planes are closed. */
  async stop(): Promise<void> {
    this.pause()
    await (await this.#runtime)?.close()
  }

  #end(uid: string, syncer: InstanceSyncer): void {
    // A plane that was dropped and opened again waits for its previous syncer.
    const ended = Promise.all([this.#ending.get(uid), syncer.stop()])
      .catch(this.#options.report)
      .then(() => {
        if (this.#ending.get(uid) === ended) this.#ending.delete(uid)
      })
    this.#ending.set(uid, ended)
  }

  #target(path: string) {
    const { names, token, address } = this.#options
    const { url, caCertificate } = address()
    return { url: `${url}/${names.proxySegment}/${path}`, caCertificate, token }
  }

  /** The sandbox, shared by all instances. */
  expressions() {
    const { clock } = this.#options
    this.#runtime ??= import('../../syncer/expressions/sandboxRuntime.ts').then(
      ({ SandboxRuntime }) => new SandboxRuntime({ clock }),
    )
    return this.#runtime
  }
}
