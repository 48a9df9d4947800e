import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../apiserver/meta/clock.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { isPlaneError, PlaneError, type PlaneClient } from '../client/planeClient.ts'
import { isOwnApi, type ObjectName } from '../names/naming.ts'
import type { ObjectReference } from '../patches/references.ts'
import type { Pair } from '../rules/kindRules.ts'
import { hostDocument, type KindTranslation } from './hostDocument.ts'
import { isControlledByOther, isOfAnother, virtualNameOf } from './managed.ts'
import { keyOf, objectKey, ObjectCache, placeOf } from './objectCache.ts'
import { updatePair } from './pairUpdate.ts'
import { referencesOf } from './referencesOf.ts'
import { blocksDeletionMs, finishRecreation, planRecreation } from './recreation.ts'

/** Decides whether an object may be synced now. 'remove': it must not be on the host. */
export type Gate = (
  key: string,
  host: ApiObject | undefined,
) => 'sync' | 'skip' | 'remove' | 'override'

export interface KindSyncerOptions {
  kind: KindTranslation
  virtual: PlaneClient
  host: PlaneClient
  clock: Clock
  /** Queues a key, immediately or later. */
  queue: (key: string, delayMs?: number) => void
  gate: Gate
  /**
   * Called for every change of a virtual object, including changes by other clients. Default:
   * ignored.
   */
  onVirtualChange?: (key: string) => void
}

/**
 * Syncs the objects of one kind between the two planes, by key of the virtual object. Its only state besides the
 * planes' is the last agreed state of each pair. Source: platform facts 6.9.
 */
export class KindSyncer {
  readonly virtualCache: ObjectCache
  readonly hostCache: ObjectCache
  readonly #options: KindSyncerOptions
  /** The last agreed state of both sides, by the key of the virtual object. */
  readonly #bases = new Map<string, NonNullable<Pair['base']>>()
  /** Keys of host copies by virtual object: several while there are misplaced copies. */
  readonly #copies = new Map<string, Set<string>>()
  /** Virtual objects by their place on the host, even if another object is there. */
  readonly #owners = new Map<string, string>()

  /** References of objects, with the state that they were determined for. */
  readonly #referred = new Map<
    string,
    { virtual: ApiObject; references: readonly ObjectReference[] }
  >()

  constructor(options: KindSyncerOptions) {
    this.#options = options
    this.virtualCache = new ObjectCache((key) => this.#seeVirtual(key))
    this.hostCache = new ObjectCache((key, object, old) => this.#seeHost(key, object, old))
  }

  /** The keys of all virtual objects with copies on the host. */
  copiedKeys(): string[] {
    return [...this.#copies].flatMap(([key, copies]) => (copies.size > 0 ? [key] : []))
  }

  /** The references of an object, if it has a copy on the host. @throws PatchError. */
  async references(key: string): Promise<readonly ObjectReference[]> {
    const { kind } = this.#options
    const virtual = this.virtualCache.get(key)
    const place = kind.rules.place(placeOf(key), kind.translation.naming)
    const isCopied = (this.#copies.get(key)?.size ?? 0) > 0
    if (virtual === undefined || place === undefined || !isCopied) {
      this.#referred.delete(key)
      return []
    }
    const known = this.#referred.get(key)
    if (known?.virtual === virtual) return known.references
    const references = await referencesOf(virtual, place, kind)
    if (references.length > 0) this.#referred.set(key, { virtual, references })
    return references
  }

  /**
   * Syncs the host object, and the fields of the virtual one that the host decides.
   * @throws PlaneError, PatchError: retry later.
   */
  async sync(key: string): Promise<void> {
    const { kind, gate } = this.#options
    const name = placeOf(key)
    if (isOwnApi(name)) return
    const place = kind.rules.place(name, kind.translation.naming)
    await this.#removeMisplaced(key, place)
    if (place === undefined) return
    const virtual = this.virtualCache.get(key)
    const host = this.hostCache.get(keyOf(place))
    const { marks } = kind.translation
    if ([virtual, host].some((object) => isControlledByOther(object, marks))) return
    const isGone = virtual === undefined || virtual.metadata.deletionTimestamp !== undefined
    if (isGone) return this.#syncDeletion(key, virtual, host)
    switch (gate(key, host)) {
      case 'skip':
        return
      case 'remove':
        return this.#deleteHost(key, host)
      case 'override':
        await this.#deleteHost(key, host)
        return this.#create(key, virtual, place)
      case 'sync':
        return host === undefined
          ? this.#syncWithoutHost(key, virtual, place)
          : this.#syncPair(key, virtual, host)
    }
  }

  #seeVirtual(key: string): void {
    const { kind, queue, onVirtualChange } = this.#options
    const place = kind.rules.place(placeOf(key), kind.translation.naming)
    if (place !== undefined) this.#owners.set(keyOf(place), key)
    queue(key)
    onVirtualChange?.(key)
  }

  #seeHost(hostKey: string, object: ApiObject | undefined, old: ApiObject | undefined): void {
    const [before, now] = [old, object].map((state) => state && this.#virtualKeyOf(state))
    if (before !== undefined && before !== now) this.#copies.get(before)?.delete(hostKey)
    if (now !== undefined) {
      const copies = this.#copies.get(now) ?? new Set()
      this.#copies.set(now, copies.add(hostKey))
    }
    for (const key of new Set([before, now, this.#owners.get(hostKey)])) {
      if (key !== undefined) this.#options.queue(key)
    }
  }

  #virtualKeyOf(host: ApiObject): string | undefined {
    const { rules, translation } = this.#options.kind
    const { marks, naming } = translation
    const of = { marks, virtualCluster: naming.virtualCluster }
    const name = virtualNameOf(host, rules.resource.kind, of)
    return name && keyOf(name)
  }

  /** Removes copies in previous places, after a change of the namespace mapping. */
  async #removeMisplaced(key: string, place: ObjectName | undefined): Promise<void> {
    const right = place && keyOf(place)
    for (const hostKey of this.#copies.get(key) ?? []) {
      if (hostKey !== right) await this.#deleteHostObject(this.hostCache.get(hostKey))
    }
  }

  async #syncDeletion(
    key: string,
    virtual: ApiObject | undefined,
    host: ApiObject | undefined,
  ): Promise<void> {
    if (host === undefined || this.#virtualKeyOf(host) !== key) {
      this.#forget(key)
      return
    }
    const { marks } = this.#options.kind.translation
    if (host.metadata.annotations?.[marks.skipBacksync] === 'true') return
    if (virtual === undefined && (await this.#finishRecreation(key, undefined, host))) return
    const waitMs = blocksDeletionMs(host, marks, this.#options.clock.now())
    if (waitMs > 0) this.#options.queue(key, waitMs)
    else await this.#deleteHost(key, host)
  }

  /** Handles a missing host object: if it existed before, deletes the virtual one; otherwise creates it. */
  async #syncWithoutHost(key: string, virtual: ApiObject, place: ObjectName): Promise<void> {
    const { kind, host: client, virtual: virtualClient } = this.#options
    const { resource } = kind.rules
    const { uid } = virtual.metadata
    const base = this.#bases.get(key)
    // An object created again under the same name has never been on the host.
    const isNew = base === undefined || base.virtual.metadata.uid !== uid
    if (isNew) return this.#create(key, virtual, place)
    const found = await client.get(resource, place)
    if (found !== undefined) {
      this.hostCache.accept(found)
      return
    }
    await virtualClient.delete(resource, placeOf(key), uid)
    // Not earlier: a failed attempt must not recreate the host object.
    this.#forget(key)
  }

  async #create(key: string, virtual: ApiObject, place: ObjectName): Promise<void> {
    const { kind, host: client } = this.#options
    const wanted = await hostDocument(virtual, place, kind)
    const host = await client.create(kind.rules.resource, wanted).catch(async (error: unknown) => {
      // The cache may be stale; the actual state is used in the next attempt.
      if (isPlaneError(error, 409)) await this.#refresh(key, place)
      throw error
    })
    this.#bases.set(key, { virtual, host })
    this.hostCache.accept(host)
  }

  async #syncPair(key: string, virtual: ApiObject, host: ApiObject): Promise<void> {
    const { kind } = this.#options
    const { marks } = kind.translation
    if (host.metadata.deletionTimestamp !== undefined) return
    if (this.#virtualKeyOf(host) !== key) throw notOurs(host)
    if (await this.#finishRecreation(key, virtual, host)) return
    if (isOfAnother(host, virtual, marks)) {
      await this.#deleteHost(key, host)
      return
    }
    await this.#update(key, { virtual, host, base: this.#bases.get(key) })
  }

  async #update(key: string, pair: Pair): Promise<void> {
    const { kind, virtual: virtualClient, host: hostClient } = this.#options
    const update = await updatePair(pair, kind)
    try {
      const virtual = await write(virtualClient, pair.virtual, update.virtual, kind)
      if (virtual !== pair.virtual) {
        if (update.halfway !== undefined) this.#bases.set(key, update.halfway)
        this.virtualCache.accept(virtual)
      }
      const host = await write(hostClient, pair.host, update.host, kind)
      this.#bases.set(key, { virtual, host })
      this.hostCache.accept(host)
      const latest = await this.#syncStatus({ virtual, host, base: undefined })
      await this.#planRecreation({ virtual: latest, host, base: undefined })
    } catch (error) {
      if (isPlaneError(error, 409)) await this.#refresh(key, pair.host.metadata)
      throw error
    }
  }

  /** Syncs the status and returns the updated virtual object. */
  async #syncStatus(pair: Pair): Promise<ApiObject> {
    const { kind, virtual: client } = this.#options
    const status = kind.rules.virtualStatus?.(pair)
    if (status === undefined) return pair.virtual
    const wanted = { ...pair.virtual, status }
    const written = await client.replace(kind.rules.resource, wanted, 'status')
    this.virtualCache.accept(written)
    return written
  }

  async #planRecreation(pair: Pair): Promise<void> {
    const { kind, host: client } = this.#options
    const { rules, translation } = kind
    const recreated = rules.recreated?.(pair)
    if (recreated === undefined) return
    const { virtual, host } = pair
    const plan = planRecreation(host, recreated, { virtual, marks: translation.marks })
    this.hostCache.accept(await client.replace(rules.resource, plan))
  }

  /** Finishes an interrupted recreation. @returns whether there was one. */
  async #finishRecreation(
    key: string,
    virtual: ApiObject | undefined,
    host: ApiObject,
  ): Promise<boolean> {
    const { kind, virtual: virtualClient, host: hostClient } = this.#options
    const { resource } = kind.rules
    const clients = { virtualClient, hostClient, resource, marks: kind.translation.marks }
    const done = await finishRecreation(virtual, host, clients)
    if (done === undefined) return false
    this.#bases.delete(key)
    this.virtualCache.accept(done.virtual)
    this.hostCache.accept(done.host)
    return true
  }

  async #deleteHost(key: string, host: ApiObject | undefined): Promise<void> {
    // The syncer's own deletion must not look like one by another client.
    this.#forget(key)
    await this.#deleteHostObject(host)
  }

  async #deleteHostObject(host: ApiObject | undefined): Promise<void> {
    if (host === undefined) return
    const { kind, host: client } = this.#options
    await client.delete(kind.rules.resource, placeOf(objectKey(host)), host.metadata.uid)
  }

  #forget(key: string): void {
    this.#bases.delete(key)
  }

  /** Reads the actual state after a conflict. */
  async #refresh(key: string, host: { name?: string; namespace?: string }): Promise<void> {
    const { kind, virtual: virtualClient, host: hostClient } = this.#options
    const { resource } = kind.rules
    const { name = '', namespace = '' } = host
    const [virtual, copy] = await Promise.all([
      virtualClient.get(resource, placeOf(key)),
      hostClient.get(resource, { name, namespace }),
    ])
    if (virtual !== undefined) this.virtualCache.accept(virtual)
    if (copy !== undefined) this.hostCache.accept(copy)
  }
}

/** Writes an object and returns its new state; the same object if nothing changed. */
async function write(
  client: PlaneClient,
  before: ApiObject,
  after: ApiObject,
  { rules }: KindTranslation,
): Promise<ApiObject> {
  return isDeepStrictEqual(before, after) ? before : client.replace(rules.resource, after)
}

function notOurs({ kind, metadata }: ApiObject): PlaneError {
  const where = `${metadata.namespace}/${metadata.name}`
  return new PlaneError(
    403,
    'Forbidden',
    `${kind} ${where} of the host is not managed by this virtual cluster, and is left as it is`,
  )
}
