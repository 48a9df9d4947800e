import type { NamesProfile } from '../meta/names/namesProfile.ts'
import { hasReason } from '../meta/status.ts'
import { conflict, staleObject } from '../meta/statusErrors.ts'
import { groupVersionString, type ApiObject } from '../meta/types.ts'
import { ignoreAlreadyExists } from '../registry/ignoring.ts'
import { groupResource } from '../registry/resource.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'
import { metadataBytes, readMetadata, type ConfigMetadata } from './configMetadata.ts'

const dataKey = 'config'
const metadataKey = 'metadata'

/** The stored configuration. */
export interface StoredConfig {
  /** Empty: only metadata is stored. */
  raw: Buffer
  metadata: ConfigMetadata
  uid: string
  resourceVersion: string
  creationTimestamp: string
  /** Digest of the last applied file; empty: none. */
  fileDigest: string
}

export interface ConfigWrite {
  raw: Buffer
  /** Metadata; undefined: the stored metadata is kept. */
  metadata?: ConfigMetadata | undefined
  /** Precondition, refused with 409: the stored revision; null: nothing is stored; undefined: none. */
  resourceVersion?: string | null | undefined
  /** Digest; undefined: the stored digest is kept. */
  fileDigest?: string | undefined
}

/**
 * Stores the configuration in a core Secret in the platform's own namespace. Users who may read or write that Secret
 * may read or set the configuration. Source: platform facts 1.7.
 */
export class ConfigSecret {
  readonly #secrets: Store
  readonly #namespaces: Store
  readonly #target: { namespace: string; name: string }
  readonly #digestAnnotation: string

  constructor(names: NamesProfile, { secrets, namespaces }: ConfigStores) {
    this.#secrets = secrets
    this.#namespaces = namespaces
    this.#target = { namespace: names.platform, name: `${names.platform}-manager-config` }
    this.#digestAnnotation = `${names.domain}/config-file-digest`
  }

  /** Calls `listener` for every later change, in the turn in which it is acknowledged. */
  async follow(listener: () => void): Promise<void> {
    await this.#secrets.cache.warm()
    const wanted = this.#secrets.keyOf(this.#target)
    this.#secrets.cache.onChange(({ key }) => {
      if (key === wanted) listener()
    })
  }

  /** The stored configuration; undefined: the Secret does not exist, or has neither key. */
  read(): StoredConfig | undefined {
    const object = this.#secrets.cache.get(this.#secrets.keyOf(this.#target))?.object()
    if (object === undefined || !isConfig(object)) return undefined
    const { uid = '', resourceVersion = '', creationTimestamp = '', annotations } = object.metadata
    const fileDigest = annotations?.[this.#digestAnnotation] ?? ''
    const raw = bytesOf(object, dataKey)
    const metadata = readMetadata(bytesOf(object, metadataKey))
    return { raw, metadata, uid, resourceVersion, creationTimestamp, fileDigest }
  }

  /** Resolves when the write is durable and listeners were called. @throws StatusError Conflict. */
  async write(write: ConfigWrite): Promise<void> {
    const transform = (old: ApiObject): ApiObject => {
      const { resourceVersion } = write
      const isFree = resourceVersion === null && !isConfig(old)
      const isAny = resourceVersion === undefined || isFree
      if (!isAny && resourceVersion !== old.metadata.resourceVersion) {
        throw conflict(groupResource(this.#secrets.resource), this.#target.name, staleObject)
      }
      return this.#changed(old, write)
    }
    try {
      await this.#secrets.update(this.#target, { transform }, systemContext())
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error
      await this.#create(write)
    }
  }

  async #create(write: ConfigWrite): Promise<void> {
    const { resource } = this.#secrets
    const { namespace, name } = this.#target
    if (typeof write.resourceVersion === 'string')
      throw conflict(groupResource(resource), name, staleObject)
    await this.#ensureNamespace(namespace)
    const object: ApiObject = {
      kind: resource.kind,
      apiVersion: groupVersionString(resource),
      metadata: { name, namespace },
    }
    await this.#secrets.create(this.#changed(object, write), systemContext())
  }

  #changed(old: ApiObject, write: ConfigWrite): ApiObject {
    const { fileDigest } = write
    const { annotations, ...metadata } = old.metadata
    const digest = fileDigest === undefined ? {} : { [this.#digestAnnotation]: fileDigest }
    const marks = { ...annotations, ...digest }
    return {
      ...old,
      metadata: Object.keys(marks).length === 0 ? metadata : { ...metadata, annotations: marks },
      data: changedData(old, write),
    }
  }

  async #ensureNamespace(name: string): Promise<void> {
    const { resource } = this.#namespaces
    const apiVersion = groupVersionString(resource)
    await this.#namespaces
      .create({ kind: resource.kind, apiVersion, metadata: { name } }, systemContext())
      .catch(ignoreAlreadyExists)
  }
}

export interface ConfigStores {
  secrets: Store
  namespaces: Store
}

function isConfig(secret: ApiObject): boolean {
  const data = dataOf(secret)
  return data[dataKey] !== undefined || data[metadataKey] !== undefined
}

function bytesOf(secret: ApiObject, key: string): Buffer {
  return Buffer.from(dataOf(secret)[key] ?? '', 'base64')
}

function dataOf(secret: ApiObject): Readonly<Record<string, string>> {
  // Sound by the schema of Secrets.
  return (secret['data'] ?? {}) as Readonly<Record<string, string>>
}

function changedData(old: ApiObject, { raw, metadata }: ConfigWrite): Record<string, string> {
  const data = { ...dataOf(old), [dataKey]: raw.toString('base64') }
  if (metadata === undefined) return data
  const { [metadataKey]: _, ...bare }: Record<string, string> = data
  const bytes = metadataBytes(metadata)
  return bytes.byteLength === 0 ? bare : { ...bare, [metadataKey]: bytes.toString('base64') }
}
