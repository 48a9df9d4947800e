import type { ExpressionRuntime } from '../../syncer/expressions/expressionRuntime.ts'
import type { Clock, Random } from '../meta/clock.ts'
import type { NamesProfile } from '../meta/namesProfile.ts'
import type { Store } from '../registry/store.ts'
import { InstanceSyncer } from './instanceSyncer.ts'
import type { HostCopies } from './hostCopies.ts'
import type { Stoppable } from './openedPlane.ts'
import type { PlaneObject } from './planeObject.ts'

export interface InstanceSyncersOptions {
  names: NamesProfile
  clusters: Store
  instances: Store
  clock: Clock
  random: Random
  /** Opens every plane of this server, and is known to it alone. A secret. */
  token: string
  /** Where this server is reached. */
  address: () => { url: string; caCertificate: string | undefined }
  /** Makes a namespace of a cluster where it is missing. */
  ensureNamespace: (cluster: string, name: string) => Promise<void>
  copies: HostCopies
  report: (error: unknown) => void
}

const nothing: Stoppable = { stop: () => undefined }

/** Syncs virtual clusters of this server to their host clusters, each as a client of both planes like any other. */
export class InstanceSyncers {
  readonly #options: InstanceSyncersOptions
  /** Those that were stopped and still write, by the uid of the instance. */
  readonly #ending = new Map<string, Promise<void>>()
  #runtime: Promise<ExpressionRuntime & { close(): Promise<void> }> | undefined

  constructor(options: InstanceSyncersOptions) {
    this.#options = options
  }

  /** Begins to sync a plane that was opened, where it is one of a virtual cluster. */
  follow({ target, name, store }: PlaneObject): Stoppable {
    const { names, clusters, instances, ensureNamespace, copies, clock, random, report } =
      this.#options
    const uid = instances.cache.get(instances.keyOf(name))?.object().metadata.uid
    if (target.plane !== 'virtualCluster' || store !== instances || uid === undefined) {
      return nothing
    }
    const { project, virtualCluster } = target
    const before = this.#ending.get(uid)
    const syncer = new InstanceSyncer({
      ...{ instances, clusters, name },
      move: async (place) => {
        await before
        await copies.move(uid, place)
      },
      virtual: this.#target(`project/${project}/virtualcluster/${virtualCluster}`),
      ensureNamespace,
      hostOf: (cluster) => this.#target(`cluster/${cluster}`),
      defaultHostNamespace: `${names.platform}-${project}-v-${virtualCluster}`,
      shared: { domain: names.domain, clock, random, report },
      runtime: () => this.expressions(),
    })
    return { stop: () => this.#end(uid, syncer) }
  }

  /** Resolves when nothing of an instance's syncer is on its way any more. */
  async ended(uid: string): Promise<void> {
    await this.#ending.get(uid)
  }

  async stop(): Promise<void> {
    await (await this.#runtime)?.close()
  }

  #end(uid: string, syncer: InstanceSyncer): void {
    // One that was dropped and opened again follows the one before.
    const ended = Promise.all([this.#ending.get(uid), syncer.stop()]).then(() => {
      if (this.#ending.get(uid) === ended) this.#ending.delete(uid)
    }, this.#options.report)
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
