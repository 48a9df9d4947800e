import type { Clock, Random } from '../meta/clock.ts'
import type { Located, ObjectChange } from '../controllers/garbageCollector.ts'
import { routeNotFound } from '../meta/statusErrors.ts'
import type { ApiObject } from '../meta/types.ts'
import { serveApiDocument } from '../endpoints/documents/documents.ts'
import type { Exchange, Plane } from '../endpoints/exchange.ts'
import type { Authorizer } from '../authorization/authorizer.ts'
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
  /** Keys begin with this; ends with a slash. */
  keyPrefix: string
  /** May be shared with other planes. */
  kinds: PlaneKinds
  storage: Storage
  clock: Clock
  random: Random
  authorize: Authorizer
  /** Names of the admission plugins that are on. Absent: none, and nobody reviews writes. */
  admissionPlugins?: ReadonlySet<string> | undefined
  /** Answers paths that belong to the whole server (health, metrics); false: not one of them. */
  serveServerPath: (exchange: Exchange) => Promise<boolean>
  /** Told of errors that are nobody's request. */
  report: (error: unknown) => void
}

/** One isolated API: its resources, their stores, its documents and its authorizer. Stores, and their caches, are made
 *  when first used. */
export class ControlPlane implements Plane {
  readonly authorize: Authorizer
  readonly admission: PlaneAdmission
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
      enabled: options.admissionPlugins ?? new Set(),
      resources: () => this.resources,
      namespace: (name) => this.#newestNamespace({ namespace: '', name }),
    })
    this.#admit = (request) => {
      // Storage outlives the plane: what is on its way is not to be left there.
      if (this.#isRefusing) throw routeNotFound()
      admit(request)
    }
  }

  get resources(): ResourceSet {
    return this.#kinds.set
  }

  /** The resources to be changed: from then on the plane's own, which no other plane has. */
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

  /** Serves a resource no more: its watches end. What is stored stays. */
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
    return serveApiDocument(exchange, this.#kinds.documents)
  }

  /** Where the object with a storage key lives; undefined: no kind of the plane has such keys. */
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
    return { store: this.storeOf(resource), target }
  }

  /** The store of the kind that a reference names; undefined: it is not served. */
  storeOfKind(reference: { apiVersion: string; kind: string }): Store | undefined {
    const resource = this.resources.ofKind(reference)
    return resource?.answers === undefined ? resource && this.storeOf(resource) : undefined
  }

  /** Tells `listener` of every object of the plane, then of every change, without a gap. Gives the function that ends
   *  it. */
  async followObjects(listener: (change: ObjectChange) => void): Promise<() => void> {
    const { storage, keyPrefix: prefix } = this.#options
    const { items, revision } = await storage.list({ prefix })
    for (const { key, value } of items) listener(objectChange({ key, value, previous: undefined }))
    const subscription = await storage.watch(prefix, revision, (changes) => {
      for (const change of changes) listener(objectChange(change))
    })
    return () => subscription.close()
  }

  /** Nothing is created or deleted through it from then on: it is being removed. */
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
  // Every create in a namespace looks at it.
  readonly #namespaces = new WeakMap<object, ApiObject>()
}

const ownersWord = Buffer.from('"ownerReferences":')
const deletionWord = Buffer.from('"deletionTimestamp":')

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
