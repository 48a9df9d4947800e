import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'
import { LegacyAddresses } from './legacyAddresses.ts'
import type { PlaneAddress } from './planeAddress.ts'
import { PlaneDoor } from './planeEntry.ts'
import type { PlaneObject } from './planeObject.ts'
import type { PlaneServices } from './planeServices.ts'
import { hostOf } from './syncedInstance.ts'

export interface PlaneDirectoryOptions {
  clusters: Store
  instances: Store
  services: PlaneServices
  /** The namespace of a project begins with this; asked each time. */
  projectNamespacePrefix: () => string
  /** Told of an object that is gone, with the uid it had. */
  onGone: (uid: string) => void
}

/** The doors of all planes, by the objects that bring them. A door is made when it is first asked for, and closed in the
 *  turn in which its object is gone. */
export class PlaneDirectory {
  readonly #options: PlaneDirectoryOptions
  /** By the storage key of the object. */
  readonly #doors = new Map<string, PlaneDoor>()
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

  /** The door of a plane; of one that does not exist a door that says so. */
  find(address: PlaneAddress): PlaneDoor {
    return this.#doorOf(this.#objectOf(address))
  }

  #doorOf(object: PlaneObject): PlaneDoor {
    const { store, name } = object
    const key = store.keyOf(name)
    const known = this.#doors.get(key)
    if (known !== undefined) return known
    const uid = store.cache.get(key)?.object().metadata.uid
    const door = new PlaneDoor(object, uid, this.#options.services)
    if (uid !== undefined) this.#doors.set(key, door)
    return door
  }

  /** The uids of all objects that bring planes. */
  uids(): Set<string> {
    const { clusters, instances } = this.#options
    const entries = [...clusters.cache.all(), ...instances.cache.all()]
    return new Set(entries.map((entry) => entry.object().metadata.uid ?? ''))
  }

  /** The doors of instances among these uids that run in a cluster. */
  hostedInstances(uids: ReadonlySet<string>): PlaneDoor[] {
    const { cache } = this.#options.instances
    return [...cache.all()]
      .map((entry) => entry.object())
      .filter(({ metadata }) => uids.has(metadata.uid ?? ''))
      .filter((instance) => hostOf(instance).cluster !== '')
      .map(({ metadata: { namespace = '', name = '' } }) =>
        this.#doorOf(this.#instance({ namespace, name })),
      )
  }

  stop(): void {
    for (const stop of this.#stopFollowing) stop()
    this.#legacy.stop()
    for (const door of this.#doors.values()) door.stop()
  }

  #gone(key: string, uid: string | undefined): void {
    this.#doors.get(key)?.close()
    this.#doors.delete(key)
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
        return this.#instance(this.#homeOf(address.project, address.name))
      case 'legacy': {
        const { cluster, namespace, name } = address
        const found = this.#legacy.find({ cluster, namespace, name })
        return this.#instance(found ?? { namespace, name })
      }
    }
  }

  #homeOf(project: string, name: string): ObjectName {
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
