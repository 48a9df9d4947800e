import type { ApiObject } from '../../../../meta/types.ts'
import { untilDone } from '../../../../meta/waiting/untilDone.ts'
import { decodeObject } from '../../../../registry/objectBytes.ts'
import type { Store } from '../../../../registry/store.ts'
import { UniqueValues } from '../../../uniqueValues.ts'
import { specOf } from './serviceSpec.ts'

interface Holder {
  /** Storage key of the service. */
  key: string
  uid: string
}

/** Addresses and node ports held by one stored version of a service. */
interface Held {
  uid: string | undefined
  values: ReadonlySet<string>
}

/** Newest stored value of a service. */
type StoredValue = NonNullable<ReturnType<Store['options']['storage']['newest']>>

/** Addresses and node ports of a plane's services; each has one holder. */
export class ServiceAllocations {
  readonly #store: Store
  readonly #held: UniqueValues<Holder>
  readonly #known = untilDone(() => this.#follow())
  /**
   * Decoded once per version, since a search for a free value may check the same large service for
   * each candidate.
   */
  readonly #decoded = new WeakMap<StoredValue, Held>()

  constructor(store: Store) {
    this.#store = store
    const isHeld = (value: string, { key, uid }: Holder) => {
      const stored = store.options.storage.newest(key)
      const held = stored && this.#heldIn(stored)
      return held?.uid === uid && held.values.has(value)
    }
    const isSame = (one: Holder, other: Holder) => one.key === other.key
    this.#held = new UniqueValues(isHeld, isSame)
  }

  /** Loads all services; the methods below require it. */
  async follow(): Promise<void> {
    await this.#known()
    this.#held.tidy()
  }

  /** Reports whether no other service holds `value`. */
  isFree(value: string, uid: string): boolean {
    const holder = this.#held.holder(value)
    return holder === undefined || holder.uid === uid
  }

  /** Allocates a value. The service's write must follow in the same turn. */
  take(value: string, { metadata }: ApiObject): void {
    const { namespace = '', name = '', uid = '' } = metadata
    this.#held.take(value, { key: this.#store.keyOf({ namespace, name }), uid })
  }

  async #follow(): Promise<void> {
    const { cache } = this.#store
    await cache.warm()
    cache.onChange(({ key, entry, previous }) => {
      const object = entry?.object()
      const held = object === undefined ? none : heldBy(object)
      for (const value of previous === undefined ? none : heldBy(previous.object())) {
        if (!held.has(value)) this.#held.remove(value, { key, uid: '' })
      }
      if (object !== undefined) this.#hold(key, object, held)
    })
    for (const entry of cache.all()) this.#hold(entry.key, entry.object())
  }

  #hold(key: string, object: ApiObject, values = heldBy(object)): void {
    const { uid = '' } = object.metadata
    for (const value of values) this.#held.add(value, { key, uid })
  }

  #heldIn(stored: StoredValue): Held {
    const known = this.#decoded.get(stored)
    if (known !== undefined) return known
    const object = decodeObject(stored.value)
    const held = { uid: object.metadata.uid, values: heldBy(object) }
    this.#decoded.set(stored, held)
    return held
  }
}

const none: ReadonlySet<string> = new Set()

export function addressValue(address: string): string {
  return `address ${address}`
}

/** Node port as an allocated value, the same for every protocol. */
export function nodePortValue(port: number): string {
  return `port ${port}`
}

/** The cluster addresses of a service. */
export function addressesOfService(object: ApiObject): string[] {
  const { clusterIP = '', clusterIPs = [] } = specOf(object)
  return [...new Set([clusterIP, ...clusterIPs].filter(isAddress))]
}

/** Values held by a service. */
function heldBy(object: ApiObject): ReadonlySet<string> {
  const { ports = [], healthCheckNodePort } = specOf(object)
  const addresses = addressesOfService(object)
  const nodePorts = [...ports.map(({ nodePort }) => nodePort), healthCheckNodePort]
  return new Set([
    ...addresses.map(addressValue),
    ...nodePorts.filter((port) => port !== undefined && port > 0).map(nodePortOf),
  ])
}

function nodePortOf(port: number | undefined): string {
  return nodePortValue(port ?? 0)
}

/** Reports whether a string is an address rather than "None" or empty. */
function isAddress(address: string): boolean {
  return address !== '' && address !== 'None'
}
