import { failureFields } from '../../syncer/engine/syncFailure.ts'
import type { ExpressionRuntime } from '../../syncer/expressions/expressionRuntime.ts'
import { bounded } from '../meta/bounded.ts'
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
  /** Opens every plane of this server, and is known to it alone. A secret. */
  token: string
  /** Where this server is reached. */
  address: () => { url: string; caCertificate: string | undefined }
  copies: HostCopies
  /** Told of what users have to mend. */
  warn: (fields: Readonly<Record<string, string>>, message: string) => void
  report: (error: unknown) => void
}

/** A stopped syncer writes what it has begun, within bounds of its own. */
const endMs = 60_000

const nothing: Stoppable = { stop: () => undefined }

/** Syncs virtual clusters of this server to their host clusters, each as a client of both planes like any other, and shows
 *  in them what is in the way of that. */
export class InstanceSyncers {
  readonly #options: InstanceSyncersOptions
  readonly #namespaces: HostNamespaces
  readonly #hostConditions: HostConditions
  readonly #syncConditions: SyncConditions
  /** Those that were stopped and still write, by the uid of the instance. */
  readonly #ending = new Map<string, Promise<void>>()
  #runtime: Promise<ExpressionRuntime & { close(): Promise<void> }> | undefined

  constructor(options: InstanceSyncersOptions) {
    this.#options = options
    this.#namespaces = new HostNamespaces(options)
    this.#hostConditions = new HostConditions({ ...options, namespaces: this.#namespaces })
    const runtime = () => this.expressions()
    this.#syncConditions = new SyncConditions({ ...options, runtime })
  }

  /** Begins to show what is wrong. The instances have to be in their cache. */
  start(): void {
    this.#hostConditions.start()
    this.#syncConditions.start()
  }

  /** Begins to sync a plane that was opened, where it is one of a virtual cluster. */
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
      homeOf: (instance) => this.#namespaces.homeOf(instance),
      claim: (home, signal) => this.#hostConditions.claim(name, home, signal),
      hostOf: (cluster) => this.#target(`cluster/${cluster}`),
      shared: { domain: names.domain, clock, random, report: this.#reporter(name) },
      runtime: () => this.expressions(),
    })
    return { stop: () => this.#end(uid, syncer) }
  }

  /** A sync fails of what users wrote more often than not: it is said what failed, without a stack. */
  #reporter({ namespace, name }: ObjectName): (error: unknown) => void {
    const instance = `${namespace}/${name}`
    const message = 'syncing a virtual cluster failed and is tried again'
    return (error) => this.#options.warn({ instance, ...failureFields(error) }, message)
  }

  /** Resolves when nothing of an instance's syncer is on its way any more.
   *  @throws DeadlineError where that takes too long: try again. */
  async ended(uid: string, signal: AbortSignal): Promise<void> {
    const what = `the end of the syncer of the deleted instance ${uid}`
    const bounds = { clock: this.#options.clock, ms: endMs, what, signals: [signal] }
    await bounded(bounds, async () => this.#ending.get(uid))
  }

  /** What runs is ended by whoever closes its plane. */
  async stop(): Promise<void> {
    this.#hostConditions.stop()
    this.#syncConditions.stop()
    await (await this.#runtime)?.close()
  }

  #end(uid: string, syncer: InstanceSyncer): void {
    // One that was dropped and opened again follows the one before.
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

  /** One sandbox for all. */
  expressions() {
    const { clock } = this.#options
    this.#runtime ??= import('../../syncer/expressions/sandboxRuntime.ts').then(
      ({ SandboxRuntime }) => new SandboxRuntime({ clock }),
    )
    return this.#runtime
  }
}
