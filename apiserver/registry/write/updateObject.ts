import { runSteps } from '../../meta/waiting/steps.ts'
import { invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import { integerProblem, parseUint64 } from '../../meta/json/integers.ts'
import { deepCopy } from '../../meta/json/plainMembers.ts'
import { conflict, invalid, notFound, plainError, staleObject } from '../../meta/statusErrors.ts'
import type { StatusError } from '../../meta/status.ts'
import type { Guard, Storage, StoredValue } from '../../storage/storage.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { SchemaCheck } from './beforeCreate.ts'
import { completesDeletion } from './beforeDelete.ts'
import { beforeUpdate } from './beforeUpdate.ts'
import { dropLaterOwners, matchNamespace } from './metadataSteps.ts'
import { encodeObject, objectBytes, templateBytes } from '../objectBytes.ts'
import { groupResource, type ResourceDefinition } from '../resource.ts'
import { reviewOf, type ReviewedWrite } from './reviewedWrite.ts'
import { allDurable, Judgement, settledRefusal, shownIsDurable } from '../settledRefusal.ts'
import { isAlreadyExists, isRevisionConflict, toStatusError } from '../storageErrors.ts'
import type { ObjectName, StoreOptions, Written } from '../storeTypes.ts'
import { storageErrorText } from './storageErrorText.ts'
import type { RequestContext, Strategy } from '../strategy.ts'
import { asStored } from '../versions/convertedObject.ts'
import { Undecided } from './undecided.ts'
import { PendingConversion, whenConverted } from '../versions/remoteConversion.ts'
import { pauseOf } from '../userTurns.ts'
import { needsAuthorization } from './writeAuthorization.ts'

export interface UpdateRequest {
  /**
   * Computes the desired object from a copy of the newest one, which has `size` stored bytes; it may run several times.
   * The result is canonical, or a promise if it yields to other work.
   */
  transform: (old: ApiObject, size: number) => ApiObject | Promise<ApiObject>
  /** Computes the object to store from the result of the hooks and a copy of the newest one: runs last. */
  settle?: (next: ApiObject, old: ApiObject) => ApiObject
  /** Refuses an unauthorized write by throwing a StatusError; `old` is absent for a new object. Changes neither. */
  authorize?: (next: ApiObject, old: ApiObject | undefined) => Promise<void> | undefined
  /** The required UID of the object. */
  uid?: string
  /** The writer's resourceVersion: a stale one is refused before anything is computed. */
  resourceVersion?: string
  /** Strategy of a subresource. */
  strategy?: Strategy
  /** Name of the subresource. */
  subresource?: string
  /**
   * Errors of the content that `transform` found last and repaired; they are reported with the
   * errors of the repaired object.
   */
  found?: () => readonly FieldError[]
  /** Creates the object if it does not exist; absent: NotFound. */
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

/** Updates one object, from newest state to durable write. Source: reference 3.3, 10.5. */
export async function updateObject(
  store: UpdatableStore,
  target: ObjectName,
  update: RunningUpdate,
): Promise<Written> {
  const subject = groupResource(store.resource)
  const judgement = new Judgement(store.options.storage)
  for (;;) {
    judgement.begin()
    try {
      if (store.options.storage.newest(store.keyOf(target)) === undefined) {
        return await createInstead(store, target, update)
      }
      return await updateOnce(store, target, update)
    } catch (error) {
      const isRace = isRevisionConflict(error) || wasCreatedMeanwhile(store, target, error)
      if (isRace) continue
      if (error instanceof Undecided) {
        await error.ended
        continue
      }
      if (error instanceof PendingConversion) {
        await error.done
        continue
      }
      const refusal = await settledRefusal(store.options.storage, error)
      if (await judgement.isOutdated(error)) continue
      throw toStatusError(refusal, subject, target.name)
    }
  }
}

/** Reports whether another writer created the missing object, so that it can be updated. */
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
  // Unlike a create, an update that creates accepts any revision.
  if (!update.context.dryRun) delete object.metadata.resourceVersion
  const pending = update.authorize?.(object, undefined)
  if (pending !== undefined) await pending
  const { context, subresource } = update
  return store.create(object, subresource === undefined ? context : { ...context, subresource })
}

async function updateOnce(
  store: UpdatableStore,
  target: ObjectName,
  update: RunningUpdate,
): Promise<Written> {
  const { resource } = store
  const { context, strategy = resource.strategy } = update
  const { stored, object: old } = store.newest(target)
  const size = stored.value.length
  checkUid(old, store, target, update)
  const reviewed = reviewOf(store, 'UPDATE', context, update.subresource)
  // The revision of a reviewed write is checked after mutation, as in the real server.
  if (reviewed === undefined) checkStale(old, store, target, update)
  const made = wantedObject(old, size, update)
  const sent = made instanceof Promise ? await made : made
  const wanted = reviewed === undefined ? sent : await reviewed.mutated(sent, old)
  if (reviewed !== undefined) checkStale(old, store, target, update)
  checkWanted(wanted, target, update)
  checkResourceVersion(wanted, old, store)
  // A concurrent write is a revision conflict, which restarts this.
  const pending = authorized(wanted, old, update, strategy)
  if (pending !== undefined) await pending
  const turn = context.turn?.(size)
  if (turn !== undefined) await turn
  const guard = guardOf(store)
  const checkSchema = withFound(update)
  const steps = beforeUpdate(wanted, old, { resource, strategy, checkSchema, context })
  const preparing = runSteps(steps, pauseOf(context))
  const validating = reviewedAfter(preparing, () => reviewed?.validated(wanted, old))
  if (validating instanceof Promise) await validating
  store.options.admit({ operation: 'update', resource, ...target })
  const next = update.settle?.(wanted, old) ?? wanted
  return writeCharged(store, next, { stored, old, context, reviewed, guard })
}

/** Awaits the review after the preparation; undefined: neither takes time. */
function reviewedAfter(
  preparing: Promise<void> | void,
  review: () => Promise<void> | void,
): Promise<void> | void {
  return preparing instanceof Promise ? preparing.then(review) : review()
}

function withFound({ checkSchema, found }: RunningUpdate): SchemaCheck {
  if (found === undefined) return checkSchema
  return (...args) => {
    const errors = found()
    if (errors.length === 0) return checkSchema(...args)
    const repaired = new Set(errors.map(({ field }) => field))
    // A field that is missing because it was repaired has already been reported.
    return [...errors, ...checkSchema(...args).filter(({ field }) => !repaired.has(field))]
  }
}

/** The guard of a write that is checked against other objects; undefined: none is needed. */
export function guardOf({ resource, options }: UpdatableStore): Guard | undefined {
  const { spans } = resource.strategy
  return spans === undefined ? undefined : options.storage.guard(options.planePrefix + spans)
}

/** Awaits the review; undefined: no review is needed. */
function authorized(
  wanted: ApiObject,
  old: ApiObject,
  { authorize, context }: RunningUpdate,
  strategy: Strategy,
): Promise<void> | undefined {
  const asked = authorize?.(wanted, old)
  if (!needsAuthorization(strategy, context)) return asked
  const write = () => strategy.authorizeWrite(wanted, old, context)
  return asked === undefined ? write() : asked.then(write)
}

/** Charges and writes in the caller's turn. */
async function writeCharged(
  store: UpdatableStore,
  next: ApiObject,
  { reviewed, ...replaced }: Replaced & { reviewed: ReviewedWrite | undefined },
): Promise<Written> {
  const { charged, written } = store.options.storage.together(() => {
    const charging = reviewed?.charged(next, replaced.old)
    charging?.catch(() => undefined) // the write also fails
    return { charged: charging, written: writeNext(store, next, replaced) }
  })
  if (charged === undefined) return written
  const [result] = await Promise.all([written, charged])
  return result
}

function checkUid(
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
}

function uidMismatch(
  { resource }: UpdatableStore,
  target: ObjectName,
  wanted: string,
  found: string,
): string {
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`
  return storageErrorText(resource, target, why)
}

function checkStale(
  old: ApiObject,
  { resource }: UpdatableStore,
  target: ObjectName,
  update: RunningUpdate,
): void {
  if (isStale(update.resourceVersion, old)) {
    throw conflict(groupResource(resource), target.name, staleObject)
  }
}

/** Computes the desired object, at once unless it is large. */
function wantedObject(
  old: ApiObject,
  size: number,
  { transform, context }: RunningUpdate,
): ApiObject | Promise<ApiObject> {
  const make = () => transform(deepCopy(old), size)
  return context.turn?.(size)?.then(make) ?? make()
}

interface Replaced {
  stored: StoredValue
  old: ApiObject
  context: RequestContext
  guard: Guard | undefined
}

/** Starts the write in the caller's turn. */
async function writeNext(
  { resource, options: { storage } }: UpdatableStore,
  next: ApiObject,
  { stored, old, context, guard }: Replaced,
): Promise<Written> {
  if (context.dryRun) await allDurable(storage)
  if (completesDeletion(next, old, resource)) {
    if (!context.dryRun) await storage.delete(stored.key, stored.revision)
    return { bytes: objectBytes(next, stored.revision), created: false }
  }
  const template = encodeObject(next)
  const bytes = templateBytes(template, stored.revision)
  if (bytes.equals(stored.value) && !(await isToRewrite(storage, stored, context))) {
    await shownIsDurable(storage, stored)
    return { bytes: stored.value, created: false }
  }
  if (context.dryRun) {
    const shown = await whenConverted(() => asStored(next, resource))
    return { bytes: objectBytes(shown, stored.revision), created: false }
  }
  const { value } = await storage.update(stored.key, template, stored.revision, guard)
  return { bytes: value, created: false }
}

/** Reports whether equal bytes are written again because the key that encrypted them was replaced. */
async function isToRewrite(
  storage: Storage,
  { key, revision }: StoredValue,
  { dryRun }: RequestContext,
): Promise<boolean> {
  const asked = dryRun ? undefined : storage.isStale(key)
  if (asked === undefined) return false
  await storage.settled(revision)
  return asked
}

function checkWanted(
  wanted: ApiObject,
  { namespace }: ObjectName,
  { context }: RunningUpdate,
): void {
  matchNamespace(wanted.metadata, namespace)
  dropLaterOwners(wanted, context)
}

/** The error of an update without a revision. The real server names the resource here, and the kind elsewhere. */
export function revisionRequired(
  { group, plural }: Pick<ResourceDefinition, 'group' | 'plural'>,
  name: string,
): StatusError {
  return invalid({ group, kind: plural }, name, [
    invalidField('metadata.resourceVersion', 0, 'must be specified for an update'),
  ])
}

/**
 * Checks the client's version against the newest state; an update without one is accepted if the
 * kind allows that.
 */
function checkResourceVersion(next: ApiObject, old: ApiObject, store: UpdatableStore): void {
  const { resource } = store
  const given = next.metadata.resourceVersion ?? ''
  const name = old.metadata.name ?? ''
  const version = given === '' ? 0n : parseUint64(given)
  if (version === undefined) throw plainError(integerProblem('ParseUint', given))
  if (version === 0n) {
    if (resource.strategy.allowUnconditionalUpdate !== true) throw revisionRequired(resource, name)
    next.metadata.resourceVersion = old.metadata.resourceVersion ?? ''
  } else if (String(version) !== old.metadata.resourceVersion) {
    throw conflict(groupResource(resource), name, staleObject)
  }
}

/**
 * Reports whether a version is stale. Writers of one object conflict repeatedly, and most of an update's cost comes
 * after this check.
 */
function isStale(given: string | undefined, { metadata }: ApiObject): boolean {
  if (given === undefined || !/^[1-9]\d*$/.test(given)) return false
  return given !== metadata.resourceVersion
}
