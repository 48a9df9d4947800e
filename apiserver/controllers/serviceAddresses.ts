import type { Clock } from '../meta/clock.ts'
import { groupVersionString, type ApiObject } from '../meta/types.ts'
import { ignoring } from '../registry/ignoring.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'
import { WorkQueue } from '../runtime/workQueue.ts'

export interface ServiceAddressesOptions {
  services: Store
  /** Store of the objects that represent allocated addresses. */
  addresses: Store
  /** The addresses of a service, in stored form. */
  addressesOf: (service: ApiObject) => readonly string[]
  /** Creates such an object. */
  create: (store: Store, object: ApiObject) => Promise<unknown>
  clock: Clock
  /** Called with errors that will be retried. */
  report: (error: unknown) => void
}

const familyLabel = 'ipaddress.kubernetes.io/ip-family'
const managerLabel = 'ipaddress.kubernetes.io/managed-by'
const manager = 'ipallocator.k8s.io'

/**
 * Maintains an object for each address of a service, and removes the objects of deleted services.
 * Objects with other owners are not changed. Source: Kubernetes, the allocator of cluster IPs; seen
 * on kube-apiserver 1.37.2.
 */
export class ServiceAddresses {
  readonly #options: ServiceAddressesOptions
  readonly #queue: WorkQueue
  /** Services by address. */
  readonly #holders = new Map<string, { namespace: string; name: string }>()
  #stopFollowing: (() => void)[] = []

  constructor(options: ServiceAddressesOptions) {
    this.#options = options
    const { clock, report } = options
    const work = (address: string) => this.#keep(address)
    this.#queue = new WorkQueue({ clock, report, work, concurrency: 16 })
  }

  async start(): Promise<void> {
    const { services, addresses } = this.#options
    await Promise.all([services.cache.warm(), addresses.cache.warm()])
    this.#stopFollowing = [
      services.cache.onChange(({ entry, previous }) => {
        this.#changed(entry?.object(), previous?.object())
      }),
      addresses.cache.onChange(({ key }) => {
        this.#queue.add(key.slice(addresses.keyPrefix.length))
      }),
    ]
    for (const entry of services.cache.all()) this.#changed(entry.object(), undefined)
    for (const entry of addresses.cache.all()) this.#queue.add(entry.object().metadata.name ?? '')
  }

  stop(): void {
    this.#queue.stop()
    for (const stop of this.#stopFollowing) stop()
  }

  #changed(now: ApiObject | undefined, before: ApiObject | undefined): void {
    const { addressesOf } = this.#options
    const held = now === undefined ? [] : addressesOf(now)
    for (const address of before === undefined ? [] : addressesOf(before)) {
      if (held.includes(address)) continue
      this.#holders.delete(address)
      this.#queue.add(address)
    }
    const { namespace = '', name = '' } = now?.metadata ?? {}
    for (const address of held) {
      if (this.#holders.has(address)) continue
      this.#holders.set(address, { namespace, name })
      this.#queue.add(address)
    }
  }

  async #keep(address: string): Promise<void> {
    const { addresses, create } = this.#options
    const target = { namespace: '', name: address }
    const holder = this.#holders.get(address)
    const stored = addresses.cache.get(addresses.keyOf(target))?.object()
    try {
      if (stored === undefined) {
        if (holder !== undefined) await create(addresses, this.#object(address, holder))
      } else if (holder === undefined && stored.metadata.labels?.[managerLabel] === manager) {
        const { uid } = stored.metadata
        const preconditions = uid === undefined ? {} : { uid }
        await addresses.delete(target, { preconditions }, systemContext())
      }
    } catch (error) {
      // If another writer was faster, its change is handled separately.
      ignoring('AlreadyExists', 'NotFound', 'Conflict')(error)
    }
  }

  #object(address: string, { namespace, name }: { namespace: string; name: string }): ApiObject {
    const { resource } = this.#options.addresses
    return {
      kind: resource.kind,
      apiVersion: groupVersionString(resource),
      metadata: {
        name: address,
        labels: {
          [familyLabel]: address.includes(':') ? 'IPv6' : 'IPv4',
          [managerLabel]: manager,
        },
      },
      spec: { parentRef: { resource: 'services', namespace, name } },
    }
  }
}
