import type { NamesProfile } from '../meta/namesProfile.ts'
import { StatusError } from '../meta/status.ts'
import { conflict, staleObject } from '../meta/statusErrors.ts'
import { groupVersionString, type ApiObject } from '../meta/types.ts'
import { groupResource } from '../registry/resource.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'

const dataKey = 'config'

/** What is stored of the configuration. */
export interface StoredConfig {
  raw: Buffer
  uid: string
  resourceVersion: string
  creationTimestamp: string
  /** Digest of the file that was taken over last; empty: none was. */
  fileDigest: string
}

export interface ConfigWrite {
  raw: Buffer
  /** Refused with 409 where another one is stored; undefined: whatever is there. */
  resourceVersion?: string | undefined
  /** Undefined: the one that is stored stays. */
  fileDigest?: string | undefined
}

/** Keeps the configuration in a core Secret in the platform's own namespace. Who may read or write that Secret may read
 *  or set the configuration. Source: platform facts 1.7. */
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

  /** Tells `listener` of every change from now on, in the turn in which it is acknowledged. */
  async follow(listener: () => void): Promise<void> {
    await this.#secrets.cache.warm()
    const wanted = this.#secrets.keyOf(this.#target)
    this.#secrets.cache.onChange(({ key }) => {
      if (key === wanted) listener()
    })
  }

  /** The stored configuration; undefined: there is none, or the Secret has no such key. */
  read(): StoredConfig | undefined {
    const object = this.#secrets.cache.get(this.#secrets.keyOf(this.#target))?.object()
    const encoded = (object?.['data'] as Record<string, string> | undefined)?.[dataKey]
    if (object === undefined || encoded === undefined) return undefined
    const { uid = '', resourceVersion = '', creationTimestamp = '', annotations } = object.metadata
    const fileDigest = annotations?.[this.#digestAnnotation] ?? ''
    return {
      raw: Buffer.from(encoded, 'base64'),
      uid,
      resourceVersion,
      creationTimestamp,
      fileDigest,
    }
  }

  /** Resolves when the write is durable and listeners were told. @throws StatusError Conflict. */
  async write(write: ConfigWrite): Promise<void> {
    const transform = (old: ApiObject): ApiObject => {
      const { resourceVersion } = write
      if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
        throw conflict(groupResource(this.#secrets.resource), this.#target.name, staleObject)
      }
      return this.#changed(old, write)
    }
    try {
      await this.#secrets.update(this.#target, { transform }, systemContext())
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error
      await this.#create(write)
    }
  }

  async #create(write: ConfigWrite): Promise<void> {
    const { resource } = this.#secrets
    const { namespace, name } = this.#target
    if (write.resourceVersion !== undefined)
      throw conflict(groupResource(resource), name, staleObject)
    await this.#ensureNamespace(namespace)
    const object: ApiObject = {
      kind: resource.kind,
      apiVersion: groupVersionString(resource),
      metadata: { name, namespace },
    }
    await this.#secrets.create(this.#changed(object, write), systemContext())
  }

  #changed(old: ApiObject, { raw, fileDigest }: ConfigWrite): ApiObject {
    const { annotations, ...metadata } = old.metadata
    const digest = fileDigest === undefined ? {} : { [this.#digestAnnotation]: fileDigest }
    const marks = { ...annotations, ...digest }
    return {
      ...old,
      metadata: Object.keys(marks).length === 0 ? metadata : { ...metadata, annotations: marks },
      data: { ...(old['data'] as object | undefined), [dataKey]: raw.toString('base64') },
    }
  }

  async #ensureNamespace(name: string): Promise<void> {
    const { resource } = this.#namespaces
    const apiVersion = groupVersionString(resource)
    try {
      await this.#namespaces.create(
        { kind: resource.kind, apiVersion, metadata: { name } },
        systemContext(),
      )
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error
    }
  }
}

export interface ConfigStores {
  secrets: Store
  namespaces: Store
}

function isReason(error: unknown, reason: string): boolean {
  return error instanceof StatusError && error.reason === reason
}
