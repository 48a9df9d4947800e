import type { ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'

/** Host placement of a virtual cluster, its address in older clients. */
export interface LegacyAddress {
  cluster: string
  namespace: string
  name: string
}

/** Finds instances by host placement. Built at the first look-up, then kept up to date. */
export class LegacyAddresses {
  readonly #instances: Store
  #byAddress: Map<string, ObjectName> | undefined
  #stopFollowing: (() => void) | undefined

  constructor(instances: Store) {
    this.#instances = instances
  }

  /** The name of the instance; undefined: none has this placement. */
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
  // If two instances claim the same placement, the first one is used.
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
  // Sound by the schema of the kind.
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
