import { isDeepStrictEqual } from 'node:util'
import type { ApiObject, ObjectMeta } from '../../apiserver/meta/types.ts'
import { isPlaneError, type PlaneClient, type PlaneResource } from '../client/planeClient.ts'
import { isReferenceSynced, type SyncConfig } from '../config/syncConfig.ts'
import { hostObjectName, isSyncedTo, type ObjectName } from '../names/naming.ts'
import type { ObjectReference, References } from '../patches/references.ts'
import { copiedMetadata, readCopiedKeys, withMarkers } from '../rules/hostMetadata.ts'
import type { KindRules, Translation } from '../rules/kindRules.ts'
import { hostReferenceName } from './hostReferenceName.ts'
import { virtualNameOf } from './managed.ts'
import { isOfAnother, ofAnother } from './namespaceSync.ts'
import { keyOf, placeOf } from './objectCache.ts'

export interface ReferenceSyncOptions {
  virtual: PlaneClient
  host: PlaneClient
  translation: Translation
  config: SyncConfig
  /** Kinds that are synced independently of references. */
  syncedKinds: readonly string[]
}

/**
 * Names and syncs referenced objects: an object that only exists on the host is imported into the virtual cluster, a
 * virtual one is copied to the host if the configuration syncs its kind. Each call updates the other side: deleted
 * objects remove their copies, and deleted sources their imports.
 * Source: specification, patches[].reference; platform facts 6.6.
 */
export class ReferenceSync implements References {
  readonly #options: ReferenceSyncOptions

  constructor(options: ReferenceSyncOptions) {
    this.#options = options
  }

  /** Syncs a referenced virtual object and returns its name on the host. @throws PlaneError. */
  async toHost(reference: ObjectReference): Promise<ObjectName | undefined> {
    const { virtual, host, translation } = this.#options
    const place = hostReferenceName(reference, translation.naming)
    const resource = await virtual.resourceOf(reference.apiVersion, reference.kind)
    if (resource === undefined) return place
    // A copy of a cluster's object, such as a binding, would have an effect everywhere on the host.
    if (!resource.namespaced) return undefined
    const object = await virtual.get(resource, reference)
    const imported = object?.metadata.annotations?.[translation.marks.importedFrom]
    // Users may write any source into the virtual object, and must not gain access to it.
    const isForeign = imported !== undefined && imported !== (place && keyOf(place))
    if (isForeign) return placeOf(imported)
    if (place === undefined) return undefined
    if (await isOfAnother(place.namespace, host, translation)) throw ofAnother(place.namespace)
    const pair = { resource, place, name: reference }
    if (object === undefined) await this.#withoutVirtual(pair)
    else if (imported !== undefined) await this.#followSource(object, pair)
    else await this.#followVirtual(object, pair)
    return place
  }

  /**
   * Removes an unreferenced object's copy from the host. Imported objects are kept.
   * @throws PlaneError.
   */
  async withdraw(reference: ObjectReference): Promise<void> {
    const { host, translation } = this.#options
    const place = hostReferenceName(reference, translation.naming)
    const resource = await host.resourceOf(reference.apiVersion, reference.kind)
    if (place === undefined || resource === undefined || !this.isFollowed(reference)) return
    if (await isOfAnother(place.namespace, host, translation)) return
    await this.#removeCopy({ resource, place, name: reference })
  }

  /**
   * Removes copies of a kind that are not to be kept or no longer have a virtual object: leftovers
   * of earlier references.
   * @throws PlaneError.
   */
  async sweep(
    kind: Pick<ObjectReference, 'apiVersion' | 'kind'>,
    isKept: (reference: ObjectReference) => boolean,
  ): Promise<void> {
    const { virtual, host, translation } = this.#options
    const { naming, marks } = translation
    const resource = await host.resourceOf(kind.apiVersion, kind.kind)
    if (resource === undefined || !this.isFollowed(kind)) return
    const namespace = naming.namespaces === undefined ? naming.hostNamespace : undefined
    const labels = `${marks.managedBy}=${naming.virtualCluster}`
    const { items } = await host.list(resource, { namespace, labels })
    for (const copy of items) {
      const name = this.#virtualNameOf(copy, resource)
      if (name === undefined || !isSyncedTo(copy.metadata.namespace ?? '', naming)) continue
      const isThere = (await virtual.get(resource, name)) !== undefined
      if (!isThere || !isKept({ ...kind, ...name })) await this.withdraw({ ...kind, ...name })
    }
  }

  /** Reports whether objects of the kind are synced because of references rather than independently. */
  isFollowed({ apiVersion, kind }: Pick<ObjectReference, 'apiVersion' | 'kind'>): boolean {
    return apiVersion !== 'v1' || !this.#options.syncedKinds.includes(kind)
  }

  async toVirtual(
    reference: ObjectReference,
    virtualNamespace: string,
  ): Promise<ObjectName | undefined> {
    const { host, translation } = this.#options
    // Users may write any namespace into a copy, and the syncer may have more rights than the users.
    if (!isSyncedTo(reference.namespace, translation.naming)) return undefined
    if (await isOfAnother(reference.namespace, host, translation)) return undefined
    const resource = await host.resourceOf(reference.apiVersion, reference.kind)
    const object = resource && (await host.get(resource, reference))
    if (resource === undefined || object === undefined) return undefined
    const known = this.#virtualNameOf(object, resource)
    if (known !== undefined) return known
    const place = { name: reference.name, namespace: virtualNamespace }
    await this.#import(resource, object, place)
    return place
  }

  #isCopied(kind: string): boolean {
    const { config, syncedKinds } = this.#options
    return isReferenceSynced(config, kind) && !syncedKinds.includes(kind)
  }

  #virtualNameOf(object: ApiObject, { kind }: PlaneResource): ObjectName | undefined {
    const { marks, naming } = this.#options.translation
    return virtualNameOf(object, kind, { marks, virtualCluster: naming.virtualCluster })
  }

  /** Imports the host object of that name, unless it is a copy of a deleted virtual object. */
  async #withoutVirtual(pair: ReferredPair): Promise<void> {
    const { resource, place, name } = pair
    const object = await this.#options.host.get(resource, place)
    if (object === undefined) return
    if (this.#virtualNameOf(object, resource) !== undefined) await this.#removeCopy(pair)
    else await this.#import(resource, object, { name: name.name, namespace: name.namespace })
  }

  async #followVirtual(object: ApiObject, pair: ReferredPair): Promise<void> {
    if (this.#isCopied(pair.resource.kind)) await this.#copy(object, pair)
    else if (this.isFollowed(pair.resource)) await this.#removeCopy(pair)
  }

  async #removeCopy({ resource, place, name }: ReferredPair): Promise<void> {
    const { host } = this.#options
    const copy = await host.get(resource, place)
    const of = copy && this.#virtualNameOf(copy, resource)
    if (of?.name !== name.name || of.namespace !== name.namespace) return
    await host.delete(resource, place, copy?.metadata.uid)
  }

  /** Updates an imported object from its source on the host. */
  async #followSource(object: ApiObject, { resource, place }: ReferredPair): Promise<void> {
    const { virtual, host } = this.#options
    const source = await host.get(resource, place)
    const { name = '', namespace = '', uid } = object.metadata
    if (source === undefined) return virtual.delete(resource, { name, namespace }, uid)
    if (this.#virtualNameOf(source, resource) !== undefined) return
    const { apiVersion, kind } = resource
    const { labels: _, ...metadata } = object.metadata
    const { labels } = source.metadata
    const wanted = {
      ...{ ...ownFields(source), apiVersion, kind },
      metadata: { ...metadata, ...(labels && { labels }) },
    }
    await replaceUnlessSame(virtual, resource, { there: object, wanted })
  }

  /** Creates the virtual object once; an existing one is left unchanged. */
  async #import(resource: PlaneResource, object: ApiObject, place: ObjectName): Promise<void> {
    const { virtual, translation } = this.#options
    if ((await virtual.get(resource, place)) !== undefined) return
    const { apiVersion, kind } = resource
    const { name = '', namespace = '', labels } = object.metadata
    const annotations = { [translation.marks.importedFrom]: keyOf({ name, namespace }) }
    const metadata = { ...place, ...(labels && { labels }), annotations }
    const wanted = { ...ownFields(object), apiVersion, kind, metadata }
    await virtual.create(resource, wanted).catch(ignoreConflict)
  }

  /** Updates the host's copy from the virtual object. An object of another owner is left unchanged. */
  async #copy(object: ApiObject, { resource, place }: ReferredPair): Promise<void> {
    const { host, translation } = this.#options
    const rules = referredRules(resource)
    const there = await host.get(resource, place)
    if (there !== undefined && this.#virtualNameOf(there, resource) === undefined) return
    const { apiVersion, kind } = resource
    const copy = {
      ...ownFields(object),
      apiVersion,
      kind,
      metadata: joinedMetadata(there, copiedMetadata(object, rules, translation), translation),
    }
    const wanted = withMarkers(copy, object, { place, rules, translation })
    if (there === undefined) await host.create(resource, wanted).catch(ignoreConflict)
    else await replaceUnlessSame(host, resource, { there, wanted })
  }
}

/** An object of a kind and its names on both sides. */
interface ReferredPair {
  resource: PlaneResource
  /** Place on the host. */
  place: ObjectName
  name: ObjectName
}

/** Replaces an object; if that is impossible, since some kinds have immutable fields or objects, it is recreated. */
async function replaceUnlessSame(
  client: PlaneClient,
  resource: PlaneResource,
  { there, wanted }: { there: ApiObject; wanted: ApiObject },
): Promise<void> {
  const { apiVersion, kind } = resource
  const { status: _, ...known } = there
  if (isDeepStrictEqual({ ...known, apiVersion, kind }, wanted)) return
  try {
    await client.replace(resource, wanted)
  } catch (error) {
    if (!isPlaneError(error, 422)) throw error
    const { name = '', namespace = '', labels, annotations, uid } = wanted.metadata
    await client.delete(resource, { name, namespace }, uid)
    const texts = { ...(labels && { labels }), ...(annotations && { annotations }) }
    await client.create(resource, { ...wanted, metadata: { name, namespace, ...texts } })
  }
}

/** The metadata of a copy: keys from the virtual object are updated, other keys are kept. */
function joinedMetadata(
  there: ApiObject | undefined,
  { labels, annotations }: ObjectMeta,
  { marks }: Translation,
): ObjectMeta {
  const others = (field: 'labels' | 'annotations', marker: string) => {
    const copied = there === undefined ? new Set<string>() : readCopiedKeys(there, marker)
    const held = Object.entries(there?.metadata[field] ?? {})
    return Object.fromEntries(held.filter(([key]) => !copied.has(key)))
  }
  return {
    ...there?.metadata,
    labels: { ...others('labels', marks.managedLabels), ...labels },
    annotations: { ...others('annotations', marks.managedAnnotations), ...annotations },
  }
}

/** Ignores that another attempt created it in the meantime. */
function ignoreConflict(error: unknown): void {
  if (!isPlaneError(error, 409)) throw error
}

function ownFields(object: ApiObject): Record<string, unknown> {
  const { metadata: _metadata, status: _status, ...fields } = object
  return fields
}

/** Rules for objects that are copied unchanged. */
function referredRules(resource: PlaneResource): KindRules {
  return {
    resource,
    isExcluded: () => false,
    hostFields: ownFields,
    fieldChanges: () => ({ toHost: { set: {}, remove: [] }, toVirtual: { set: {}, remove: [] } }),
    place: hostObjectName,
  }
}
