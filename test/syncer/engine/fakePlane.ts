import type { ApiObject } from '../../../apiserver/meta/types.ts'
import {
  PlaneError,
  type ObjectPlace,
  type PlaneClient,
  type PlaneList,
  type PlaneResource,
  type WatchEvent,
  type WatchStart,
} from '../../../syncer/client/planeClient.ts'

/** What goes wrong, decided by a chance in [0, 1) for every call. */
export interface Faults {
  chance: () => number
  /** How often a call fails; half of the failed writes are done all the same. */
  rate: number
}

interface Entry {
  resource: string
  event: WatchEvent
}

/** A plane in memory that keeps the promises of one: revisions, conflicts, watches that resume or are told 410. */
export class FakePlane implements PlaneClient {
  readonly #objects = new Map<string, ApiObject>()
  #log: Entry[] = []
  #forgotten = 0
  #revision = 0
  #uids = 0
  readonly #waiting = new Set<() => void>()
  readonly #faults: Faults

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** What is there, past all faults. */
  peek(resource: PlaneResource, { namespace, name }: ObjectPlace): ApiObject | undefined {
    return this.#objects.get(`${resource.plural}/${namespace}/${name}`)
  }

  all(resource: PlaneResource): ApiObject[] {
    return [...this.#objects].flatMap(([key, object]) =>
      key.startsWith(`${resource.plural}/`) ? [object] : [],
    )
  }

  /** Writes as a user does; undefined deletes. */
  put(resource: PlaneResource, place: ObjectPlace, object: ApiObject | undefined): ApiObject {
    const key = `${resource.plural}/${place.namespace}/${place.name}`
    const old = this.#objects.get(key)
    const kept = object ?? old
    if (kept === undefined) throw new PlaneError(404, 'NotFound', `${key} not found`)
    const { uid = `uid-${++this.#uids}` } = old?.metadata ?? {}
    const resourceVersion = String(++this.#revision)
    const metadata = { ...kept.metadata, ...place, uid, resourceVersion }
    const written = { ...structuredClone(kept), metadata: structuredClone(metadata) }
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

  #cuts = 0

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  async list(resource: PlaneResource, namespace: string | undefined): Promise<PlaneList> {
    await this.#call()
    const items = this.all(resource).filter(
      ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
    )
    return { items, resourceVersion: String(this.#revision) }
  }

  async watch(
    resource: PlaneResource,
    { resourceVersion, signal, namespace }: WatchStart,
    onEvent: (event: WatchEvent) => void,
  ): Promise<void> {
    await this.#call()
    const cuts = this.#cuts
    let at = Number(resourceVersion)
    signal.addEventListener('abort', () => this.#wake())
    while (!signal.aborted) {
      if (at < this.#forgotten) throw new PlaneError(410, 'Expired', 'too old resource version')
      for (const { resource: of, event } of this.#log) {
        const { resourceVersion: version, namespace: within } = event.object.metadata
        if (Number(version) <= at || of !== resource.plural) continue
        if (namespace !== undefined && within !== namespace) continue
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
      if (this.peek(resource, { name, namespace }) !== undefined) {
        throw new PlaneError(409, 'AlreadyExists', `${name} already exists`)
      }
      return this.put(resource, { name, namespace }, object)
    })
  }

  async replace(resource: PlaneResource, object: ApiObject): Promise<ApiObject> {
    const { name = '', namespace = '', resourceVersion } = object.metadata
    return this.#write(() => {
      const there = this.peek(resource, { name, namespace })
      if (there === undefined) throw new PlaneError(404, 'NotFound', `${name} not found`)
      if (there.metadata.resourceVersion !== resourceVersion) {
        throw new PlaneError(409, 'Conflict', `${name} has been modified`)
      }
      return this.put(resource, { name, namespace }, object)
    })
  }

  async delete(
    resource: PlaneResource,
    place: ObjectPlace,
    uid: string | undefined,
  ): Promise<void> {
    await this.#write(() => {
      const there = this.peek(resource, place)
      if (there === undefined || (uid !== undefined && there.metadata.uid !== uid)) return undefined
      return this.put(resource, place, undefined)
    })
  }

  resourceOf(): Promise<PlaneResource | undefined> {
    return Promise.resolve(undefined)
  }

  close(): void {
    this.cut({ forget: false })
  }

  async #call(): Promise<void> {
    await Promise.resolve()
    if (this.#isFault()) throw new PlaneError(500, 'InternalError', 'a fault')
  }

  /** Half of the faults come after the write: its answer is lost. */
  async #write<T>(work: () => T): Promise<T> {
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
