import type { PluginChoice } from '../runtime/options/admissionPlugins.ts'
import type { Clock, Random } from '../meta/clock.ts'
import type { Located, ObjectChange } from '../controllers/garbageCollector.ts'
import { fieldWord } from '../meta/json/fieldWord.ts'
import { routeNotFound } from '../meta/statusErrors.ts'
import type { ApiObject } from '../meta/types.ts'
import { serveApiDocument, type DocumentSource } from '../endpoints/documents/documents.ts'
import type { Exchange, PlaceProxy, Plane, RemoteGroups } from '../endpoints/exchange.ts'
import type { Authorizer } from '../authorization/authorizer.ts'
import { typeProblem } from '../endpoints/body/typeProblem.ts'
import { PlaneAdmission } from '../admission/planeAdmission.ts'
import { namespaceAdmission } from '../apis/kubernetes/core/namespace/namespaceAdmission.ts'
import { namespaceResource } from '../apis/kubernetes/core/namespace/namespace.ts'
import { decodeObject } from '../registry/objectBytes.ts'
import type { PlaneKinds } from './planeKinds.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import { Store } from '../registry/store.ts'
import type { WriteGuard, ObjectName } from '../registry/storeTypes.ts'
import type { Change, Storage } from '../storage/storage.ts'

export interface ControlPlaneOptions {
  /** Prefix of all keys; ends with a slash. */
  keyPrefix: string
  /** Kinds, possibly shared with other planes. */
  kinds: PlaneKinds
  storage: Storage
  clock: Clock
  random: Random
  authorize: Authorizer
  /** The enabled admission plugins. Absent: writes are not reviewed. */
  admissionPlugins?: PluginChoice | undefined
  /** Serves server-wide paths such as health and metrics; resolves to false for any other path. */
  serveServerPath: (exchange: Exchange) => Promise<boolean>
  /** Called with errors outside of requests. */
  report: (error: unknown) => void
}

/**
 * An isolated API: its resources with their stores, its documents and its authorizer. Stores and
 * their caches are created on first use.
 */
export class ControlPlane implements Plane {
  readonly authorize: Authorizer
  readonly admission: PlaneAdmission
  /** Groups of other servers; undefined: none. */
  remote: RemoteGroups | undefined
  /** Connections to pods, services and nodes. Undefined: proxying is disabled. */
  proxy: PlaceProxy | undefined
  /** Merges documents of a plane with those of other servers' groups. */
  mergedDocuments: ((own: DocumentSource) => DocumentSource) | undefined
  readonly #options: ControlPlaneOptions
  readonly #stores = new Map<ResourceDefinition, Store>()
  #kinds: PlaneKinds
  #isRefusing = false
  readonly #admit: WriteGuard

  constructor(options: ControlPlaneOptions) {
    this.#options = options
    this.#kinds = options.kinds
    this.authorize = options.authorize
    const admit = namespaceAdmission((target) => this.#newestNamespace(target))
    this.admission = new PlaneAdmission({
      ...options,
      plugins: options.admissionPlugins ?? { names: new Set(), eventLimits: [] },
      resources: () => this.resources,
      typeProblem,
      namespace: (name) => this.#newestNamespace({ namespace: '', name }),
    })
    this.#admit = (request) => {
      // The storage outlives the plane, so pending creates must not leave objects behind.
      if (this.#isRefusing) throw routeNotFound()
      admit(request)
    }
  }

  get resources(): ResourceSet {
    return this.#kinds.set
  }

  /** The resources, for modification. From then on they belong to this plane alone. */
  ownResources(): ResourceSet {
    if (this.#kinds === this.#options.kinds) this.#kinds = this.#kinds.fork()
    return this.#kinds.set
  }

  storeOf(resource: ResourceDefinition): Store {
    let store = this.#stores.get(resource)
    if (store === undefined) {
      if (resource.answers !== undefined) throw new Error(`${resource.plural} has no store`)
      const { storage, clock, random, keyPrefix: planePrefix, report } = this.#options
      const shared = { storage, clock, random, planePrefix, report }
      const { admission } = this
      store = new Store({ resource, ...shared, admit: this.#admit, admission })
      this.#stores.set(resource, store)
    }
    return store
  }

  /** Stops serving a resource and ends its watches. Stored objects stay. */
  withdraw(resource: ResourceDefinition): void {
    this.ownResources().remove(resource)
    this.#stores.get(resource)?.cache.close()
    this.#stores.delete(resource)
  }

  /** The stores in use. */
  stores(): Store[] {
    return [...this.#stores.values()]
  }

  async serveDocument(exchange: Exchange): Promise<boolean> {
    if (await this.#options.serveServerPath(exchange)) return true
    const { documents } = this.#kinds
    return serveApiDocument(exchange, this.mergedDocuments?.(documents) ?? documents)
  }

  /**
   * Kind and name of the object with a storage key; undefined: the key belongs to no kind of the
   * plane.
   */
  locate(key: string): Located | undefined {
    const [group = '', plural = '', ...rest] = key.slice(this.#options.keyPrefix.length).split('/')
    const resource = this.resources
      .all()
      .find(
        (known) =>
          known.answers === undefined &&
          known.plural === plural &&
          (known.group === '' ? 'core' : known.group) === group,
      )
    if (resource === undefined) return undefined
    const [first = '', second] = rest
    const target =
      second === undefined ? { namespace: '', name: first } : { namespace: first, name: second }
    return { store: this.storeOf(resource.unconverted ?? resource), target }
  }

  /** The store of the kind in a reference; undefined: the kind is not served. */
  storeOfKind(reference: { apiVersion: string; kind: string }): Store | undefined {
    const resource = this.resources.ofKind(reference)
    if (resource === undefined || resource.answers !== undefined) return undefined
    return this.storeOf(resource.unconverted ?? resource)
  }

  /**
   * Calls `listener` for every object of the plane, then for every change, without missing any.
   * Returns a function that unsubscribes.
   */
  async followObjects(listener: (change: ObjectChange) => void): Promise<() => void> {
    const { storage, keyPrefix: prefix } = this.#options
    const { items, revision } = await storage.list({ prefix })
    for (const { key, value } of items) listener(objectChange({ key, value, previous: undefined }))
    const subscription = await storage.watch(prefix, revision, (changes) => {
      for (const change of changes) listener(objectChange(change))
    })
    return () => subscription.close()
  }

  /** Refuses creates and deletes from then on, since the plane is being removed. */
  refuseWrites(): void {
    this.#isRefusing = true
  }

  /** Ends every watch. */
  close(): void {
    this.admission.stop()
    for (const store of this.#stores.values()) store.cache.close()
  }

  #newestNamespace(target: ObjectName): ApiObject | undefined {
    const store = this.storeOf(namespaceResource)
    const stored = this.#options.storage.newest(store.keyOf(target))
    if (stored === undefined) return undefined
    let object = this.#namespaces.get(stored)
    if (object === undefined) this.#namespaces.set(stored, (object = decodeObject(stored.value)))
    return object
  }
  // Cached, since every create in a namespace reads the namespace.
  readonly #namespaces = new WeakMap<object, ApiObject>()
}

const ownersWord = fieldWord('ownerReferences')
const deletionWord = fieldWord('deletionTimestamp')

function objectChange({
  key,
  value,
  previous,
}: Pick<Change, 'key' | 'value' | 'previous'>): ObjectChange {
  return {
    key,
    isGone: value === undefined,
    mayHaveOwners: value?.includes(ownersWord) === true,
    mayBeDeleting: value?.includes(deletionWord) === true,
    object: () => value && decodeObject(value),
    previous: () => previous && decodeObject(previous.value),
  }
}
