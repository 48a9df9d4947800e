import type { ApiObject } from '../../meta/types.ts'
import { decodeObject } from '../../registry/objectBytes.ts'
import type { Store } from '../../registry/store.ts'
import { specOf } from './serviceSpec.ts'

interface Holder {
  /** Of the service's place in storage. */
  key: string
  uid: string
}

/** What the services of a plane hold that no two may have: addresses and node ports. What was taken for a write that
 *  never came about is found to be free when somebody asks for it: whoever takes something writes in the same turn, so
 *  that the newest state says whether it is held. */
export class ServiceAllocations {
  readonly #store: Store
  readonly #holders = new Map<string, Holder>()
  #following: Promise<void> | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** Knows all services from then on; the methods below need it. */
  follow(): Promise<void> {
    this.#following ??= this.#follow().catch((error: unknown) => {
      this.#following = undefined
      throw error
    })
    return this.#following
  }

  /** Whether `value` is held by no other service. */
  isFree(value: string, uid: string): boolean {
    const holder = this.#holders.get(value)
    if (holder === undefined || holder.uid === uid) return true
    const stored = this.#store.options.storage.newest(holder.key)
    if (stored === undefined) return true
    const object = decodeObject(stored.value)
    return object.metadata.uid !== holder.uid || !heldBy(object).includes(value)
  }

  /** To be followed by the service's write in the same turn. */
  take(value: string, { metadata }: ApiObject): void {
    const { namespace = '', name = '', uid = '' } = metadata
    this.#holders.set(value, { key: this.#store.keyOf({ namespace, name }), uid })
  }

  async #follow(): Promise<void> {
    const { cache } = this.#store
    await cache.warm()
    cache.onChange(({ key, entry, previous }) => {
      const held = entry === undefined ? [] : heldBy(entry.object())
      for (const value of previous === undefined ? [] : heldBy(previous.object())) {
        if (!held.includes(value) && this.#holders.get(value)?.key === key)
          this.#holders.delete(value)
      }
      if (entry !== undefined) this.#hold(key, entry.object())
    })
    for (const entry of cache.all()) this.#hold(entry.key, entry.object())
  }

  #hold(key: string, object: ApiObject): void {
    const { uid = '' } = object.metadata
    for (const value of heldBy(object)) this.#holders.set(value, { key, uid })
  }
}

export function addressValue(address: string): string {
  return `address ${address}`
}

/** Whatever the protocol. */
export function nodePortValue(port: number): string {
  return `port ${port}`
}

/** What a service holds. */
export function heldBy(object: ApiObject): string[] {
  const { clusterIP = '', clusterIPs = [], ports = [], healthCheckNodePort } = specOf(object)
  const addresses = [clusterIP, ...clusterIPs].filter((address) => isAddress(address))
  const nodePorts = [...ports.map(({ nodePort }) => nodePort), healthCheckNodePort]
  return [
    ...new Set([
      ...addresses.map(addressValue),
      ...nodePorts.filter((port) => port !== undefined && port > 0).map(nodePortOf),
    ]),
  ]
}

function nodePortOf(port: number | undefined): string {
  return nodePortValue(port ?? 0)
}

/** Neither "None" nor nothing. */
export function isAddress(address: string): boolean {
  return address !== '' && address !== 'None'
}
