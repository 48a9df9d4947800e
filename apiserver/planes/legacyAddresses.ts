import type { ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'

/** Where a virtual cluster runs, which older clients know it by. */
export interface LegacyAddress {
  cluster: string
  namespace: string
  name: string
}

/** Finds instances by where they run. Built when it is first asked, then kept up to date. */
export class LegacyAddresses {
  readonly #instances: Store
  #byAddress: Map<string, ObjectName> | undefined
  #stopFollowing: (() => void) | undefined

  constructor(instances: Store) {
    this.#instances = instances
  }

  /** The name of the instance; undefined: none runs there. */
  find(address: LegacyAddress): ObjectName | undefined {
    this.#byAddress ??= this.#build()
    return this.#byAddress.get(keyOf(address))
  }

  stop(): void {
    this.#stopFollowing?.()
  }

  #build(): Map<string, ObjectName> {
    const found = new Map<string, ObjectName>()
    const { cache } = this.#instances
    for (const entry of cache.all()) add(found, entry.object())
    this.#stopFollowing = cache.onChange(({ entry, previous }) => {
      if (previous !== undefined) remove(found, previous.object())
      if (entry !== undefined) add(found, entry.object())
    })
    return found
  }
}

function add(found: Map<string, ObjectName>, instance: ApiObject): void {
  const address = addressOf(instance)
  const { namespace = '', name = '' } = instance.metadata
  // Of two that say they run in the same place the first one counts.
  if (address !== undefined && !found.has(address)) found.set(address, { namespace, name })
}

function remove(found: Map<string, ObjectName>, instance: ApiObject): void {
  const { metadata } = instance
  const address = addressOf(instance)
  const known = address === undefined ? undefined : found.get(address)
  if (address === undefined || known === undefined) return
  if (known.name === metadata.name && known.namespace === metadata.namespace) found.delete(address)
}

function addressOf(instance: ApiObject): string | undefined {
  // The schema of the kind says what its reference to a cluster holds.
  const spec = instance['spec'] as { clusterRef?: ClusterReference } | undefined
  const { cluster = '', namespace = '', virtualCluster = '' } = spec?.clusterRef ?? {}
  if (cluster === '' || namespace === '') return undefined
  const name = virtualCluster === '' ? (instance.metadata.name ?? '') : virtualCluster
  return keyOf({ cluster, namespace, name })
}

interface ClusterReference {
  cluster?: string
  namespace?: string
  virtualCluster?: string
}

function keyOf({ cluster, namespace, name }: LegacyAddress): string {
  return `${cluster}/${namespace}/${name}`
}
