import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { Store } from '../../../registry/store.ts'
import { systemContext } from '../../../registry/systemContext.ts'
import { ignoreNotFound } from '../../../registry/ignoring.ts'
import { bytes, struct } from '../../schema.ts'
import { objectIfAny } from '../../storeReads.ts'

const apiVersion = 'internal/v1'
const kind = 'ConnectorData'

/** An internal resource: no request, list or watch reaches it. */
const connectorDataResource: ResourceDefinition = {
  group: 'internal',
  version: 'v1',
  plural: 'connectordata',
  singular: kind.toLowerCase(),
  kind,
  namespaced: false,
  verbs: [],
  schema: struct({ data: bytes('Data returned by the connector.') }, 'Data of a login connector.'),
  strategy: { allowUnconditionalUpdate: true, generation: 'none' },
}

/**
 * Data that login connectors keep with an access key. It is stored separately, under the key's uid, so that no response
 * with a key can contain it. Source: specification, OwnedAccessKey, "connectorData".
 */
export class ConnectorData {
  readonly #records: Store
  readonly #keys: Store

  constructor(keys: Store) {
    this.#keys = keys
    this.#records = new Store({ ...keys.options, resource: connectorDataResource })
  }

  /** Data in base64; undefined: none. */
  get(keyUid: string): string | undefined {
    const record = objectIfAny(this.#records, { namespace: '', name: keyUid })
    // set() stores a string.
    return record?.['data'] as string | undefined
  }

  /** Stores data; resolves when it is durable. */
  async set(keyUid: string, data: string): Promise<void> {
    const record = (): ApiObject => ({ kind, apiVersion, metadata: { name: keyUid }, data })
    const transform = (old: ApiObject): ApiObject => ({ ...old, data })
    const target = { namespace: '', name: keyUid }
    await this.#records.update(target, { transform, createMissing: record }, systemContext())
  }

  /**
   * Removes the data of deleted keys, now and as keys are deleted. Returns a function that stops
   * this.
   */
  async follow(report: (error: unknown) => void): Promise<() => void> {
    const { cache } = this.#keys
    await Promise.all([cache.warm(), this.#records.cache.warm()])
    const remove = (uid: string) => void this.#remove(uid).catch(report)
    const stop = cache.onChange(({ entry, previous }) => {
      if (entry === undefined && previous !== undefined) remove(uidOf(previous.object()))
    })
    const known = new Set([...cache.all()].map((entry) => uidOf(entry.object())))
    for (const { key } of this.#records.cache.all()) {
      const uid = key.slice(this.#records.keyPrefix.length)
      if (!known.has(uid)) remove(uid)
    }
    return stop
  }

  async #remove(keyUid: string): Promise<void> {
    const target = { namespace: '', name: keyUid }
    if (objectIfAny(this.#records, target) === undefined) return
    await this.#records.delete(target, {}, systemContext()).catch(ignoreNotFound)
  }
}

function uidOf({ metadata }: ApiObject): string {
  return metadata.uid ?? ''
}
