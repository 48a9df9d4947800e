import type { ApiObject } from '../../../apiserver/meta/types.ts'
import {
  PlaneError,
  type ObjectPlace,
  type PlaneClient,
  type PlaneList,
  type PlaneResource,
  type Selection,
  type WatchEvent,
  type WatchStart,
} from '../../../syncer/client/planeClient.ts'

/** Faults of a plane, decided by a random number in [0, 1) for every call. */
export interface Faults {
  chance: () => number
  /**
   * Rate of failed calls; half of the failed writes are done nevertheless. At the same rate,
   * another writer changes an object just before a replace.
   */
  rate: number
}

/** Behaviour of a plane without a client's request. */
export interface PlaneRules {
  /** Prefix of addresses of Services. Absent: they get none. */
  addresses?: string
  /** Resources that discovery finds by version and kind. Default: none. */
  serves?: readonly PlaneResource[]
  /** True if objects need the Namespace that they are in. */
  needsNamespaces?: boolean
}

interface Entry {
  resource: string
  event: WatchEvent
}

/**
 * Plane in memory that fulfils the contract: revisions, conflicts, watches that resume or get 410.
 */
export class FakePlane implements PlaneClient {
  readonly #objects = new Map<string, ApiObject>()
  #log: Entry[] = []
  #forgotten = 0
  #revision = 0
  #uids = 0
  readonly #waiting = new Set<() => void>()
  readonly #faults: Faults
  readonly #rules: PlaneRules
  #addresses = 0
  #refusals = 0

  constructor(faults: Faults, rules: PlaneRules = {}) {
    this.#faults = faults
    this.#rules = rules
  }

  /** Stored object, without faults. */
  peek(resource: PlaneResource, { namespace, name }: ObjectPlace): ApiObject | undefined {
    return this.#objects.get(`${resource.plural}/${namespace}/${name}`)
  }

  all(resource: PlaneResource): ApiObject[] {
    return [...this.#objects].flatMap(([key, object]) =>
      key.startsWith(`${resource.plural}/`) ? [object] : [],
    )
  }

  /** Writes like a user; undefined deletes. */
  put(resource: PlaneResource, place: ObjectPlace, object: ApiObject | undefined): ApiObject {
    const key = `${resource.plural}/${place.namespace}/${place.name}`
    const old = this.#objects.get(key)
    const kept = object ?? old
    if (kept === undefined) throw new PlaneError(404, 'NotFound', `${key} not found`)
    const { uid = `uid-${++this.#uids}` } = old?.metadata ?? {}
    const resourceVersion = String(++this.#revision)
    const metadata = { ...kept.metadata, ...place, uid, resourceVersion }
    const filled = object === undefined ? kept : this.#filled(resource, kept, old)
    const written = { ...structuredClone(filled), metadata: structuredClone(metadata) }
    if (object === undefined) this.#objects.delete(key)
    else this.#objects.set(key, written)
    const type = object === undefined ? 'DELETED' : old === undefined ? 'ADDED' : 'MODIFIED'
    this.#log.push({ resource: resource.plural, event: { type, object: written } })
    this.#wake()
    return written
  }

  /** Ends every watch; with `forget`, history too. */
  cut({ forget }: { forget: boolean }): void {
    if (forget) {
      this.#log = []
      this.#forgotten = this.#revision
    }
    this.#cuts += 1
    this.#wake()
  }

  /** Stops and restarts: watches end, the next calls fail, and all stored objects remain. */
  restart(calls: number): void {
    this.#refusals = calls
    this.cut({ forget: false })
  }

  #cuts = 0

  /** Assigns an address to a Service once, for its lifetime. */
  #filled(resource: PlaneResource, object: ApiObject, old: ApiObject | undefined): ApiObject {
    const { addresses } = this.#rules
    if (resource.plural !== 'services' || addresses === undefined) return object
    const known = addressOf(old) ?? addressOf(object) ?? `${addresses}.${++this.#addresses}`
    return { ...object, spec: { ...specOf(object), clusterIP: known } }
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  async list(resource: PlaneResource, selection: Selection): Promise<PlaneList> {
    await this.#call()
    const items = this.all(resource).filter((object) => isSelected(object, selection))
    return { items, resourceVersion: String(this.#revision) }
  }

  async watch(
    resource: PlaneResource,
    { resourceVersion, signal, ...selection }: WatchStart,
    onEvent: (event: WatchEvent) => void,
  ): Promise<void> {
    await this.#call()
    const cuts = this.#cuts
    let at = Number(resourceVersion)
    signal.addEventListener('abort', () => this.#wake())
    while (!signal.aborted) {
      if (at < this.#forgotten) throw new PlaneError(410, 'Expired', 'too old resource version')
      for (const { resource: of, event } of this.#log) {
        const { resourceVersion: version } = event.object.metadata
        if (Number(version) <= at || of !== resource.plural) continue
        if (!isSelected(event.object, selection)) continue
        onEvent(event)
        at = Number(version)
      }
      if (cuts !== this.#cuts) return
      await new Promise<void>((resolve) => this.#waiting.add(resolve))
    }
  }

  async get(resource: PlaneResource, place: ObjectPlace): Promise<ApiObject | undefined> {
    await this.#call()
    return this.peek(resource, place)
  }

  async create(resource: PlaneResource, object: ApiObject): Promise<ApiObject> {
    const { name = '', namespace = '' } = object.metadata
    return this.#write(() => {
      if (!this.#hasNamespace(namespace)) {
        throw new PlaneError(404, 'NotFound', `namespaces "${namespace}" not found`)
      }
      if (this.peek(resource, { name, namespace }) !== undefined) {
        throw new PlaneError(409, 'AlreadyExists', `${name} already exists`)
      }
      return this.put(resource, { name, namespace }, object)
    })
  }

  async replace(
    resource: PlaneResource,
    object: ApiObject,
    subresource?: string,
  ): Promise<ApiObject> {
    const { name = '', namespace = '', resourceVersion } = object.metadata
    return this.#write(() => {
      this.#interfere(resource, { name, namespace })
      const there = this.peek(resource, { name, namespace })
      if (there === undefined) throw new PlaneError(404, 'NotFound', `${name} not found`)
      if (there.metadata.resourceVersion !== resourceVersion) {
        throw new PlaneError(409, 'Conflict', `${name} has been modified`)
      }
      if (![undefined, addressOf(there)].includes(addressOf(object))) {
        throw new PlaneError(422, 'Invalid', 'spec.clusterIP: field is immutable')
      }
      const { status: now } = object
      const { status: before, ...kept } = there
      const fields =
        subresource === 'status' ? { ...kept, status: now } : withStatus(object, before)
      return this.put(resource, { name, namespace }, fields)
    })
  }

  async delete(
    resource: PlaneResource,
    place: ObjectPlace,
    uid: string | undefined,
    resourceVersion?: string,
  ): Promise<void> {
    await this.#write(() => {
      const there = this.peek(resource, place)
      const isOld = ![undefined, there?.metadata.resourceVersion].includes(resourceVersion)
      if (there !== undefined && isOld) {
        throw new PlaneError(409, 'Conflict', `${place.name} has been modified`)
      }
      if (there === undefined || (uid !== undefined && there.metadata.uid !== uid)) return undefined
      return this.put(resource, place, undefined)
    })
  }

  resourceOf(apiVersion: string, kind: string): Promise<PlaneResource | undefined> {
    const found = this.#rules.serves?.find(
      (known) => known.apiVersion === apiVersion && known.kind === kind,
    )
    return Promise.resolve(found)
  }

  close(): void {
    this.cut({ forget: false })
  }

  #hasNamespace(name: string): boolean {
    return (
      this.#rules.needsNamespaces !== true ||
      name === '' ||
      this.#objects.has(`namespaces//${name}`)
    )
  }

  /** Writes the object unchanged, like another client. */
  #interfere(resource: PlaneResource, place: ObjectPlace): void {
    const there = this.#isFault() ? this.peek(resource, place) : undefined
    if (there !== undefined) this.put(resource, place, there)
  }

  #refuse(): void {
    if (this.#refusals === 0) return
    this.#refusals -= 1
    throw new Error('connect ECONNREFUSED')
  }

  async #call(): Promise<void> {
    await Promise.resolve()
    this.#refuse()
    if (this.#isFault()) throw new PlaneError(500, 'InternalError', 'a fault')
  }

  /** Half of the faults come after the write, so that its response is lost. */
  async #write<T>(work: () => T): Promise<T> {
    this.#refuse()
    const isFault = this.#isFault()
    const isDone = !isFault || this.#faults.chance() < 0.5
    await Promise.resolve()
    const result = isDone ? work() : undefined
    await Promise.resolve()
    if (isFault || result === undefined) {
      if (!isFault && isDone) return result as T
      throw new PlaneError(500, 'InternalError', 'a fault')
    }
    return result
  }

  #isFault(): boolean {
    return this.#faults.chance() < this.#faults.rate
  }
}

function isSelected({ metadata }: ApiObject, { namespace, name }: Selection): boolean {
  const isOf = (wanted: string | undefined, own: string | undefined) =>
    wanted === undefined || wanted === own
  return isOf(namespace, metadata.namespace) && isOf(name, metadata.name)
}

function specOf({ spec }: ApiObject): Record<string, unknown> {
  // The tests use no other kinds.
  return (spec ?? {}) as Record<string, unknown>
}

function addressOf(object: ApiObject | undefined): string | undefined {
  const { clusterIP } = object === undefined ? {} : specOf(object)
  return typeof clusterIP === 'string' && clusterIP !== '' ? clusterIP : undefined
}

/** Only the subresource changes a status. */
function withStatus(object: ApiObject, status: unknown): ApiObject {
  const { status: _, ...fields } = object
  return status === undefined ? fields : { ...fields, status }
}
