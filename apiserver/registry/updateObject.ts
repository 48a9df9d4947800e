import { invalidField } from '../meta/fieldErrors.ts'
import { integerProblem, parseUint64 } from '../meta/json/integers.ts'
import { conflict, invalid, notFound, plainError, staleObject } from '../meta/statusErrors.ts'
import type { StoredValue } from '../storage/storage.ts'
import type { ApiObject } from '../meta/types.ts'
import type { SchemaCheck } from './beforeCreate.ts'
import { completesDeletion } from './beforeDelete.ts'
import { beforeUpdate } from './beforeUpdate.ts'
import { dedupOwners, matchNamespace } from './metadataSteps.ts'
import { encodeObject, objectBytes, templateBytes } from './objectBytes.ts'
import { groupResource, type ResourceDefinition } from './resource.ts'
import { allDurable, settledRefusal } from './settledRefusal.ts'
import { isAlreadyExists, isRevisionConflict, toStatusError } from './storageErrors.ts'
import type { ObjectName, StoreOptions, Written } from './storeTypes.ts'
import type { RequestContext, Strategy } from './strategy.ts'
import { needsAuthorization } from './writeAuthorization.ts'

export interface UpdateRequest {
  /** Makes the wanted object from a copy of the newest one, which is stored in `size` bytes; it may run several times. What
   *  it gives is canonical; a promise, where it lets others go first. */
  transform: (old: ApiObject, size: number) => ApiObject | Promise<ApiObject>
  /** The object to store, of what the hooks made of the wanted one and a copy of the newest: the last word. */
  settle?: (next: ApiObject, old: ApiObject) => ApiObject
  /** Refuses, by throwing a StatusError, what the writer has no right to; `old` is absent for a new object. Changes
   *  neither. */
  authorize?: (next: ApiObject, old: ApiObject | undefined) => Promise<void> | undefined
  /** The UID the object must have. */
  uid?: string
  /** The resourceVersion that the writer sent: a stale one is refused before anything is made of it. */
  resourceVersion?: string
  /** Writes through a subresource. */
  strategy?: Strategy
  /** The wanted object is what a patch makes, not what somebody sent. Default false. */
  isPatch?: boolean
  /** What to create where nothing is stored; absent: NotFound. */
  createMissing?: () => ApiObject | Promise<ApiObject>
}

export interface RunningUpdate extends UpdateRequest {
  checkSchema: SchemaCheck
  context: RequestContext
}

/** The part of a store that an update uses. */
export interface UpdatableStore {
  resource: ResourceDefinition
  options: StoreOptions
  keyOf(target: ObjectName): string
  newest(target: ObjectName): { stored: StoredValue; object: ApiObject }
  create(object: ApiObject, context: RequestContext): Promise<Written>
}

/** One update of one object, from newest state to durable write. Source: reference 3.3, 10.5. */
export async function updateObject(
  store: UpdatableStore,
  target: ObjectName,
  update: RunningUpdate,
): Promise<Written> {
  const subject = groupResource(store.resource)
  for (;;) {
    try {
      if (store.options.storage.newest(store.keyOf(target)) === undefined) {
        return await createInstead(store, target, update)
      }
      return await updateOnce(store, target, update)
    } catch (error) {
      const isRace = isRevisionConflict(error) || wasCreatedMeanwhile(store, target, error)
      if (isRace) continue
      const refusal = await settledRefusal(store.options.storage, error)
      throw toStatusError(refusal, subject, target.name)
    }
  }
}

/** Whether another writer created what was missing: then there is something to update. */
function wasCreatedMeanwhile(store: UpdatableStore, target: ObjectName, error: unknown): boolean {
  if (!isAlreadyExists(error)) return false
  return store.options.storage.newest(store.keyOf(target)) !== undefined
}

async function createInstead(
  store: UpdatableStore,
  target: ObjectName,
  update: RunningUpdate,
): Promise<Written> {
  const subject = groupResource(store.resource)
  if (update.createMissing === undefined) throw notFound(subject, target.name)
  if (update.uid !== undefined) {
    throw conflict(subject, target.name, uidMismatch(store, target, update.uid, ''))
  }
  const made = update.createMissing()
  const object = made instanceof Promise ? await made : made
  matchNamespace(object.metadata, target.namespace)
  // Unlike a create, an update that creates takes any revision.
  if (!update.context.dryRun) delete object.metadata.resourceVersion
  const pending = update.authorize?.(object, undefined)
  if (pending !== undefined) await pending
  return store.create(object, update.context)
}

async function updateOnce(
  store: UpdatableStore,
  target: ObjectName,
  update: RunningUpdate,
): Promise<Written> {
  const { resource } = store
  const { context, checkSchema, strategy = resource.strategy } = update
  const { stored, object: old } = store.newest(target)
  const size = stored.value.length
  checkSent(old, store, target, update)
  const made = wantedObject(old, size, update)
  const wanted = made instanceof Promise ? await made : made
  checkWanted(wanted, target, update)
  checkResourceVersion(wanted, old, store)
  // A write that comes in between is a revision conflict, which starts this anew.
  const pending = update.authorize?.(wanted, old)
  if (pending !== undefined) await pending
  if (needsAuthorization(strategy, context)) await strategy.authorizeWrite(wanted, old, context)
  const turn = context.turn?.(size)
  if (turn !== undefined) await turn
  beforeUpdate(wanted, old, { resource, strategy, checkSchema, context })
  store.options.admit({ operation: 'update', resource, ...target })
  const next = update.settle?.(wanted, old) ?? wanted
  return writeNext(store, next, { stored, old, context })
}

/** What the writer said of the object that is to be changed. */
function checkSent(
  old: ApiObject,
  store: UpdatableStore,
  target: ObjectName,
  update: RunningUpdate,
): void {
  const { resource } = store
  if (update.uid !== undefined && update.uid !== old.metadata.uid) {
    const why = uidMismatch(store, target, update.uid, old.metadata.uid ?? '')
    throw conflict(groupResource(resource), target.name, why)
  }
  if (isStale(update.resourceVersion, old)) {
    throw conflict(groupResource(resource), target.name, staleObject)
  }
}

/** At once, but for what is large. */
function wantedObject(
  old: ApiObject,
  size: number,
  { transform, context }: RunningUpdate,
): ApiObject | Promise<ApiObject> {
  const make = () => transform(structuredClone(old), size)
  return context.turn?.(size)?.then(make) ?? make()
}

interface Replaced {
  stored: StoredValue
  old: ApiObject
  context: RequestContext
}

/** Begins to write in the caller's turn. */
async function writeNext(
  { resource, options: { storage } }: UpdatableStore,
  next: ApiObject,
  { stored, old, context }: Replaced,
): Promise<Written> {
  if (context.dryRun) await allDurable(storage)
  if (completesDeletion(next, old, resource)) {
    if (!context.dryRun) await storage.delete(stored.key, stored.revision)
    return { bytes: objectBytes(next, stored.revision), created: false }
  }
  const template = encodeObject(next)
  const bytes = templateBytes(template, stored.revision)
  if (bytes.equals(stored.value)) {
    await storage.settled(stored.revision)
    return { bytes: stored.value, created: false }
  }
  if (context.dryRun) return { bytes, created: false }
  const { value } = await storage.update(stored.key, template, stored.revision)
  return { bytes: value, created: false }
}

function checkWanted(
  wanted: ApiObject,
  { namespace }: ObjectName,
  { context, isPatch }: RunningUpdate,
): void {
  matchNamespace(wanted.metadata, namespace)
  const warning = dedupOwners(wanted, isPatch === true ? 'patch' : 'body')
  if (warning !== undefined) context.warn(warning)
}

/** The version a client sends must be that of the newest state; none at all is taken for it where the kind allows. */
function checkResourceVersion(next: ApiObject, old: ApiObject, store: UpdatableStore): void {
  const { resource } = store
  const given = next.metadata.resourceVersion ?? ''
  const name = old.metadata.name ?? ''
  const version = given === '' ? 0n : parseUint64(given)
  if (version === undefined) throw plainError(integerProblem('ParseUint', given))
  if (version === 0n) {
    if (resource.strategy.allowUnconditionalUpdate !== true) {
      // The real server names the resource here where it otherwise names the kind.
      throw invalid({ group: resource.group, kind: resource.plural }, name, [
        invalidField('metadata.resourceVersion', 0, 'must be specified for an update'),
      ])
    }
    next.metadata.resourceVersion = old.metadata.resourceVersion ?? ''
  } else if (String(version) !== old.metadata.resourceVersion) {
    throw conflict(groupResource(resource), name, staleObject)
  }
}

/** Writers of one object conflict again and again, and most of what an update costs comes after this. */
function isStale(given: string | undefined, { metadata }: ApiObject): boolean {
  if (given === undefined || !/^[1-9]\d*$/.test(given)) return false
  return given !== metadata.resourceVersion
}

/** Names a key of the form that the real server has, which tells nothing of the planes here. */
function uidMismatch(
  { resource }: UpdatableStore,
  { namespace, name }: ObjectName,
  wanted: string,
  found: string,
): string {
  const folder = resource.isCustom === true ? [resource.group, resource.plural] : [resource.plural]
  const key = ['', 'registry', ...folder, ...(namespace === '' ? [] : [namespace]), name].join('/')
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`
}
