import { deepCopy } from '../../meta/json/plainMembers.ts'
import { formatTime } from '../../meta/clock.ts'
import { conflict } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import { withDependentsFinalizer } from './dependentsFinalizer.ts'
import type { DeleteOptions, Preconditions } from './deleteOptions.ts'
import { groupResource, type ResourceDefinition } from '../resource.ts'
import type { ObjectLookup } from '../strategy.ts'

/** Checks the preconditions of a delete. @throws StatusError Conflict. Source: reference 3.5, step 2. */
export function checkPreconditions(
  preconditions: Preconditions | undefined,
  object: ApiObject,
  resource: ResourceDefinition,
): void {
  if (resource.strategy.deletion?.preconditionsInStorage === true)
    return checkInStorage(preconditions ?? {}, object, resource)
  const { uid, resourceVersion: version } = preconditions ?? {}
  const { metadata } = object
  // The real server names the kind here, and the resource elsewhere.
  const subject = { group: resource.group, resource: resource.kind }
  const name = metadata.name ?? ''
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The object might have been deleted and then recreated`
    throw conflict(subject, name, why)
  }
  if (version !== undefined && version !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${version}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ''}). The object might have been modified`
    throw conflict(subject, name, why)
  }
}

/**
 * Checks preconditions in the wording of the storage. Source: apiserver, storage.Preconditions; seen on kube-apiserver
 * 1.37.2.
 */
function checkInStorage(
  { uid, resourceVersion: version }: Preconditions,
  { metadata }: ApiObject,
  resource: ResourceDefinition,
): void {
  const refuse = (field: string, wanted: string, found = ''): never => {
    const why = `Precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${found}`
    throw conflict(groupResource(resource), metadata.name ?? '', why)
  }
  if (uid !== undefined && uid !== metadata.uid) refuse('UID', uid, metadata.uid)
  if (version !== undefined && version !== metadata.resourceVersion)
    refuse('ResourceVersion', version, metadata.resourceVersion)
}

export type DeleteDecision =
  /** The object is removed. `marked`: the state that watchers see before. */
  | { act: 'remove'; marked?: ApiObject }
  /** The object is already being deleted, and this request changes nothing. */
  | { act: 'wait' }
  /** `object` is the marked copy to store. */
  | { act: 'mark'; object: ApiObject }

/** Inputs of a deletion besides the object. */
export interface DeletionStep {
  resource: ResourceDefinition
  options: DeleteOptions
  nowMs: number
  isThere: ObjectLookup
}

/** Decides the effect of a delete on `object`, which is not changed. Source: reference 3.5, the state machine. */
export function decideDelete(object: ApiObject, step: DeletionStep): DeleteDecision {
  const { resource, options, isThere } = step
  const asked = askedSeconds(options)
  const next = withDependentsFinalizer(object, resource, options)
  if (object.metadata.deletionTimestamp === undefined) return decideFirst(next, asked, step)
  const isLost = resource.strategy.deletion?.hasLostGrace?.(object, isThere) === true
  const decision = decideAgain(next, isLost ? 0 : asked, step)
  return decision.act === 'wait' && next !== object ? { act: 'mark', object: next } : decision
}

function decideFirst(
  next: ApiObject,
  asked: number | undefined,
  { resource, nowMs, isThere }: DeletionStep,
): DeleteDecision {
  const { deletion } = resource.strategy
  const grace = deletion?.graceSeconds?.(next, asked, isThere) ?? 0
  const isRemoved = grace === 0 && !isHeldFromDeletion(next, resource)
  if (isRemoved && deletion?.graceSeconds === undefined) return { act: 'remove' }
  const marked = deepCopy(next)
  mark(marked, nowMs, grace)
  deletion?.mark?.(marked)
  return isRemoved ? { act: 'remove', marked } : { act: 'mark', object: marked }
}

function askedSeconds({ gracePeriodSeconds: given }: DeleteOptions): number | undefined {
  return given !== undefined && given < 0 ? 1 : given
}

/** Reports whether finalizers, in the metadata or specific to the kind, keep the object. */
function isHeldFromDeletion(object: ApiObject, { strategy }: ResourceDefinition): boolean {
  return (
    (object.metadata.finalizers ?? []).length > 0 || strategy.deletion?.isHeld?.(object) === true
  )
}

/** Reports whether an update from `old` to `next` completes a deletion. */
export function completesDeletion(
  next: ApiObject,
  old: ApiObject,
  resource: ResourceDefinition,
): boolean {
  if (old.metadata.deletionTimestamp === undefined) return false
  return (old.metadata.deletionGracePeriodSeconds ?? 0) === 0 && !isHeldFromDeletion(next, resource)
}

/**
 * Decides for an object that is already being deleted: only the client's grace period counts, which can be shortened
 * but not restarted.
 */
function decideAgain(
  object: ApiObject,
  grace: number | undefined,
  { resource, nowMs }: DeletionStep,
): DeleteDecision {
  const stored = object.metadata.deletionGracePeriodSeconds ?? 0
  const isHeld = isHeldFromDeletion(object, resource)
  if (stored === 0) return isHeld ? { act: 'wait' } : { act: 'remove' }
  if (grace === undefined || grace >= stored) return { act: 'wait' }
  const isRemoved = grace === 0 && !isHeld
  if (isRemoved && resource.strategy.deletion?.graceSeconds === undefined) return { act: 'remove' }
  const marked = shortened(object, { stored, grace, nowMs })
  return isRemoved ? { act: 'remove', marked } : { act: 'mark', object: marked }
}

function shortened(
  object: ApiObject,
  { stored, grace, nowMs }: { stored: number; grace: number; nowMs: number },
): ApiObject {
  const marked = deepCopy(object)
  const wanted = Date.parse(object.metadata.deletionTimestamp ?? '') - (stored - grace) * 1000
  marked.metadata.deletionTimestamp = formatTime(Math.max(wanted, nowMs))
  marked.metadata.deletionGracePeriodSeconds = wanted < nowMs && grace !== 0 ? 1 : grace
  return marked
}

function mark(object: ApiObject, nowMs: number, graceSeconds: number): void {
  const { metadata } = object
  metadata.deletionTimestamp = formatTime(nowMs + graceSeconds * 1000)
  metadata.deletionGracePeriodSeconds = graceSeconds
  if ((metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1
}
