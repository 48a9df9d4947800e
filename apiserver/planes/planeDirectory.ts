import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'
import { LegacyAddresses } from './legacyAddresses.ts'
import type { PlaneAddress } from './planeAddress.ts'
import { PlaneEntry } from './planeEntry.ts'
import type { PlaneObject } from './planeObject.ts'
import type { PlaneServices } from './planeServices.ts'
import { hostOf } from './syncedInstance.ts'

export interface PlaneDirectoryOptions {
  clusters: Store
  instances: Store
  services: PlaneServices
  /** Prefix of the namespaces of projects; read each time. */
  projectNamespacePrefix: () => string
  /** Called with the uid of a deleted object. */
  onGone: (uid: string) => void
}

/**
 * The entry points of all planes, by the objects of the planes. An entry point is created when it is first needed, and
 * closed in the turn in which its object is deleted.
 */
export class PlaneDirectory {
  readonly #options: PlaneDirectoryOptions
  /** Entry points by the storage key of the object. */
  readonly #planeEntries = new Map<string, PlaneEntry>()
  readonly #legacy: LegacyAddresses
  readonly #stopFollowing: (() => void)[] = []

  constructor(options: PlaneDirectoryOptions) {
    this.#options = options
    this.#legacy = new LegacyAddresses(options.instances)
  }

  async start(): Promise<void> {
    const { clusters, instances } = this.#options
    await Promise.all([clusters.cache.warm(), instances.cache.warm()])
    for (const { cache } of [clusters, instances]) {
      const stop = cache.onChange(({ key, entry, previous }) => {
        if (entry === undefined) this.#gone(key, previous?.object().metadata.uid)
      })
      this.#stopFollowing.push(stop)
    }
  }

  /**
   * Entry point of a plane; for a plane that does not exist, an entry point that responds
   * accordingly.
   */
  find(address: PlaneAddress): PlaneEntry {
    return this.#doorOf(this.#objectOf(address))
  }

  #doorOf(object: PlaneObject): PlaneEntry {
    const { store, name } = object
    const key = store.keyOf(name)
    const known = this.#planeEntries.get(key)
    if (known !== undefined) return known
    const uid = store.cache.get(key)?.object().metadata.uid
    const planeEntry = new PlaneEntry(object, uid, this.#options.services)
    if (uid !== undefined) this.#planeEntries.set(key, planeEntry)
    return planeEntry
  }

  /** The uids of all objects with planes. */
  uids(): Set<string> {
    const { clusters, instances } = this.#options
    const entries = [...clusters.cache.all(), ...instances.cache.all()]
    return new Set(entries.map((entry) => entry.object().metadata.uid ?? ''))
  }

  /** The entry points of instances with these uids that run in a cluster. */
  hostedInstances(uids: ReadonlySet<string>): PlaneEntry[] {
    const { cache } = this.#options.instances
    return [...cache.all()]
      .map((entry) => entry.object())
      .filter(({ metadata }) => uids.has(metadata.uid ?? ''))
      .filter((instance) => hostOf(instance).cluster !== '')
      .map(({ metadata: { namespace = '', name = '' } }) =>
        this.#doorOf(this.#instance({ namespace, name })),
      )
  }

  /** The entry points of planes with these uids. */
  entriesOf(uids: ReadonlySet<string>): PlaneEntry[] {
    const { clusters, instances } = this.#options
    const found: PlaneEntry[] = []
    for (const { cache } of [clusters, instances]) {
      for (const entry of cache.all()) {
        const { metadata } = entry.object()
        if (!uids.has(metadata.uid ?? '')) continue
        const { namespace = '', name = '' } = metadata
        found.push(
          cache === clusters.cache
            ? this.find({ form: 'cluster', cluster: name })
            : this.#doorOf(this.#instance({ namespace, name })),
        )
      }
    }
    return found
  }

  stop(): void {
    for (const stop of this.#stopFollowing) stop()
    this.#legacy.stop()
    for (const planeEntry of this.#planeEntries.values()) planeEntry.stop()
  }

  #gone(key: string, uid: string | undefined): void {
    this.#planeEntries.get(key)?.close()
    this.#planeEntries.delete(key)
    if (uid !== undefined) this.#options.onGone(uid)
  }

  #objectOf(address: PlaneAddress): PlaneObject {
    const { clusters } = this.#options
    switch (address.form) {
      case 'cluster': {
        const { cluster } = address
        return {
          store: clusters,
          name: { namespace: '', name: cluster },
          target: { plane: 'cluster', cluster },
          audited: { target: 'Cluster', cluster },
        }
      }
      case 'instance':
        return this.#instance(this.#hostNamespaceOf(address.project, address.name))
      case 'legacy': {
        const { cluster, namespace, name } = address
        const found = this.#legacy.find({ cluster, namespace, name })
        return this.#instance(found ?? { namespace, name })
      }
    }
  }

  #hostNamespaceOf(project: string, name: string): ObjectName {
    return { namespace: this.#options.projectNamespacePrefix() + project, name }
  }

  #instance(name: ObjectName): PlaneObject {
    const prefix = this.#options.projectNamespacePrefix()
    const project = name.namespace.startsWith(prefix) ? name.namespace.slice(prefix.length) : ''
    return {
      store: this.#options.instances,
      name,
      target: { plane: 'virtualCluster', project, virtualCluster: name.name },
      audited: { target: 'ProjectVCluster', cluster: '' },
    }
  }
}
