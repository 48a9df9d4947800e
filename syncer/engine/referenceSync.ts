import { isDeepStrictEqual } from 'node:util'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { isPlaneError, type PlaneClient, type PlaneResource } from '../client/planeClient.ts'
import { isReferenceSynced, type SyncConfig } from '../config/syncConfig.ts'
import {
  hostObjectName,
  hostServiceName,
  isSyncedTo,
  nameForm,
  type Naming,
  type ObjectName,
} from '../names/naming.ts'
import type { ObjectReference, References } from '../patches/references.ts'
import { copiedMetadata, withMarkers } from '../rules/hostMetadata.ts'
import type { KindRules, Translation } from '../rules/kindRules.ts'
import { virtualNameOf } from './managed.ts'
import { isOfAnother, ofAnother } from './namespaceSync.ts'
import { keyOf, placeOf } from './objectCache.ts'

export interface ReferenceSyncOptions {
  virtual: PlaneClient
  host: PlaneClient
  translation: Translation
  config: SyncConfig
  /** Kinds that are synced by themselves. */
  syncedKinds: readonly string[]
}

/** Where an object with this name is on the host. */
export function hostReferenceName(
  reference: ObjectReference,
  naming: Naming,
): ObjectName | undefined {
  const { kind, apiVersion } = reference
  const isService = apiVersion === 'v1' && (kind === 'Service' || kind === 'Endpoints')
  return isService
    ? hostServiceName(reference, naming)
    : hostObjectName(reference, naming, nameForm(apiVersion))
}

/** Names of referenced objects, which are brought along: what the host alone has is imported into the virtual cluster,
 *  what the virtual cluster has is copied to the host where the configuration syncs its kind.
 *  Source: specification, patches[].reference; platform facts 6.6. */
export class ReferenceSync implements References {
  readonly #options: ReferenceSyncOptions

  constructor(options: ReferenceSyncOptions) {
    this.#options = options
  }

  async toHost(reference: ObjectReference): Promise<ObjectName | undefined> {
    const { virtual, host, translation } = this.#options
    const place = hostReferenceName(reference, translation.naming)
    const resource = await virtual.resourceOf(reference.apiVersion, reference.kind)
    if (resource === undefined) return place
    const object = await virtual.get(resource, reference)
    const imported = object?.metadata.annotations?.[translation.marks.importedFrom]
    if (imported !== undefined) return placeOf(imported)
    if (place === undefined) return undefined
    if (await isOfAnother(place.namespace, host, translation)) throw ofAnother(place.namespace)
    if (object === undefined) await this.#importMissing(resource, place, reference)
    else if (this.#isCopied(reference.kind)) await this.#copy(object, resource, place)
    return place
  }

  async toVirtual(
    reference: ObjectReference,
    virtualNamespace: string,
  ): Promise<ObjectName | undefined> {
    const { host, translation } = this.#options
    // Whoever may write a copy names any namespace in it, and the syncer may read more than they may.
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

  async #importMissing(
    resource: PlaneResource,
    place: ObjectName,
    name: ObjectName,
  ): Promise<void> {
    const object = await this.#options.host.get(resource, place)
    if (object === undefined || this.#virtualNameOf(object, resource) !== undefined) return
    await this.#import(resource, object, { name: name.name, namespace: name.namespace })
  }

  /** Makes the virtual object once; what is there already is left as it is. */
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

  /** Makes the host's copy what the virtual object is. Somebody else's object is left as it is. */
  async #copy(object: ApiObject, resource: PlaneResource, place: ObjectName): Promise<void> {
    const { host, translation } = this.#options
    const rules = referredRules(resource)
    const there = await host.get(resource, place)
    if (there !== undefined && this.#virtualNameOf(there, resource) === undefined) return
    const { apiVersion, kind } = resource
    const copy = {
      ...ownFields(object),
      apiVersion,
      kind,
      metadata: { ...there?.metadata, ...copiedMetadata(object, rules, translation) },
    }
    const wanted = withMarkers(copy, object, { place, rules, translation })
    if (there === undefined) await host.create(resource, wanted).catch(ignoreConflict)
    else if (!isDeepStrictEqual({ ...there, apiVersion, kind }, wanted))
      await host.replace(resource, wanted)
  }
}

/** Another try made it meanwhile. */
function ignoreConflict(error: unknown): void {
  if (!isPlaneError(error, 409)) throw error
}

function ownFields(object: ApiObject): Record<string, unknown> {
  const { metadata: _metadata, status: _status, ...fields } = object
  return fields
}

/** Objects that are copied as they are. */
function referredRules(resource: PlaneResource): KindRules {
  return {
    resource,
    isExcluded: () => false,
    hostFields: ownFields,
    fieldChanges: () => ({ toHost: { set: {}, remove: [] }, toVirtual: { set: {}, remove: [] } }),
    place: hostObjectName,
  }
}
