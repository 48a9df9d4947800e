import { specField } from '../authorization/rbac/accessEntry.ts'
import type { RbacStores } from '../authorization/rbac/rbacIndex.ts'
import type { Clock } from '../meta/clock.ts'
import { fieldWord } from '../meta/json/fieldWord.ts'
import type { ApiObject } from '../meta/types.ts'
import { ignoreNotFound } from '../registry/ignoring.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'
import { systemContext } from '../registry/systemContext.ts'
import type { AccessSource, RightsGiving, WantedObject } from './accessObjects.ts'
import { WorkQueue } from '../runtime/workQueue.ts'

export interface AccessRolesOptions {
  rbac: RbacStores
  resources: readonly ResourceDefinition[]
  storeOf: (resource: ResourceDefinition) => Store
  giving: RightsGiving
  clock: Clock
  /** Called with errors that will be retried. */
  report: (error: unknown) => void
}

const objectsAtOnce = 64

/**
 * Maintains the roles and bindings for `spec.access` and `spec.clusterRoles` of objects, and
 * removes them with the entry or the object. Source: specification, "Authentication" 8; platform
 * facts 7.1.
 */
export class AccessRoles {
  readonly #options: AccessRolesOptions
  /** Field names as bytes; every object that grants rights contains at least one of them. */
  readonly #words: readonly Buffer[]
  readonly #queue: WorkQueue
  readonly #stopFollowing: (() => void)[] = []
  readonly #sources = new Map<string, Store>()
  /** Keys of created roles and bindings with their stores, by source. */
  readonly #made = new Map<string, Map<string, Store>>()

  constructor(options: AccessRolesOptions) {
    this.#options = options
    const { clock, report, giving } = options
    this.#words = giving.fields.map((field) => fieldWord(field, '['))
    const work = (source: string) => this.#settle(source)
    this.#queue = new WorkQueue({ clock, report, work, concurrency: objectsAtOnce })
  }

  async start(): Promise<void> {
    const { rbac, resources, storeOf, giving: rights } = this.#options
    await Promise.all(Object.values(rbac).map((store: Store) => this.#followMade(store)))
    const giving = resources.filter((kind) => gives(kind, rights)).map(storeOf)
    for (const store of giving) this.#sources.set(store.resource.plural, store)
    await Promise.all(giving.map((store) => this.#followSources(store)))
    // Includes sources that were deleted while the server was not running.
    for (const source of this.#made.keys()) this.#queue.add(source)
  }

  /** Checks an object again after a change of another object that its rights depend on. */
  check({ resource }: Store, { namespace, name }: ObjectName): void {
    this.#queue.add(`${resource.plural}|${namespace}|${name}`)
  }

  stop(): void {
    for (const stop of this.#stopFollowing) stop()
    this.#queue.stop()
  }

  async #followMade(store: Store): Promise<void> {
    const { cache } = store
    await cache.warm()
    this.#stopFollowing.push(
      cache.onChange(({ key, entry }) => this.#noteMade(store, key, entry !== undefined)),
    )
    for (const { key } of cache.all()) this.#noteMade(store, key, true)
  }

  #noteMade(store: Store, key: string, isThere: boolean): void {
    const source = this.#options.giving.sourceOf(key.slice(store.keyPrefix.length))
    if (source === undefined) return
    let made = this.#made.get(source)
    if (made === undefined) this.#made.set(source, (made = new Map<string, Store>()))
    if (isThere) made.set(key, store)
    else made.delete(key)
    if (made.size === 0) this.#made.delete(source)
    // Manual changes are reverted.
    if (this.#sources.size > 0) this.#queue.add(source)
  }

  async #followSources(store: Store): Promise<void> {
    const { cache, keyPrefix, resource } = store
    await cache.warm()
    const sourceKey = (key: string): string => {
      const own = key.slice(keyPrefix.length)
      return `${resource.plural}|${resource.namespaced ? own.replace('/', '|') : `|${own}`}`
    }
    this.#stopFollowing.push(
      cache.onChange(({ key, entry }) => {
        const source = sourceKey(key)
        const isGiving = entry !== undefined && this.#mayGive(entry.bytes)
        if (isGiving || this.#made.has(source)) this.#queue.add(source)
      }),
    )
    for (const { key, bytes } of cache.all()) {
      if (this.#mayGive(bytes)) this.#queue.add(sourceKey(key))
    }
  }

  #mayGive(bytes: Buffer): boolean {
    return this.#words.some((word) => bytes.includes(word))
  }

  /** Creates missing objects, corrects differing ones and deletes superfluous ones. */
  async #settle(source: string): Promise<void> {
    const { rbac, giving } = this.#options
    const found = this.#find(source)
    const wanted = found === undefined ? [] : giving.objects(found)
    const keys = new Set<string>()
    const writes = wanted.map((one) => {
      const store = rbac[one.store]
      const target = targetOf(one.object)
      keys.add(store.keyOf(target))
      return this.#write(store, one)
    })
    for (const [key, store] of this.#made.get(source) ?? []) {
      if (!keys.has(key)) writes.push(remove(store, key))
    }
    await Promise.all(writes)
  }

  #find(source: string): AccessSource | undefined {
    const [plural = '', namespace = '', name = ''] = source.split('|')
    const store = this.#sources.get(plural)
    const object = store?.cache.get(store.keyOf({ namespace, name }))?.object()
    return store && object && { resource: store.resource, object }
  }

  async #write(store: Store, { object }: WantedObject): Promise<void> {
    const target = targetOf(object)
    const stored = store.cache.get(store.keyOf(target))?.object()
    if (stored === undefined) {
      await store.create(structuredClone(object), systemContext())
      return
    }
    if (isSame(stored, object)) return
    const { metadata: _metadata, ...fields } = object
    const { labels, ownerReferences } = object.metadata
    const transform = (old: ApiObject): ApiObject => ({
      ...old,
      ...fields,
      metadata: {
        ...old.metadata,
        ...(labels === undefined ? {} : { labels }),
        ...(ownerReferences === undefined ? {} : { ownerReferences }),
      },
    })
    await store.update(target, { transform }, systemContext())
  }
}

function gives({ schema, answers }: ResourceDefinition, { fields }: RightsGiving): boolean {
  if (answers !== undefined) return false
  return fields.some((field) => specField(schema, field) !== undefined)
}

async function remove(store: Store, key: string): Promise<void> {
  await store.delete(store.nameOf(key), {}, systemContext()).catch(ignoreNotFound)
}

function targetOf({ metadata: { name = '', namespace = '' } }: ApiObject) {
  return { name, namespace }
}

function isSame(stored: ApiObject, wanted: ApiObject): boolean {
  const part = ({ metadata, rules, subjects, roleRef }: ApiObject) =>
    JSON.stringify([metadata.labels, metadata.ownerReferences, rules, subjects, roleRef])
  return part(stored) === part(wanted)
}
