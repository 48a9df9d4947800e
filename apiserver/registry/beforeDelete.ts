import { formatTime } from '../meta/clock.ts'
import { invalidField, notSupportedField, type FieldError } from '../meta/fieldErrors.ts'
import { conflict, invalid } from '../meta/statusErrors.ts'
import type { ApiObject } from '../meta/types.ts'
import type { ResourceDefinition } from './resource.ts'

/** What a client may say about a deletion. Source: reference 3.5, 1.15. */
export interface DeleteOptions {
  gracePeriodSeconds?: number
  propagationPolicy?: string
  orphanDependents?: boolean
  preconditions?: Preconditions
  dryRun?: string[]
}

export interface Preconditions {
  uid?: string
  resourceVersion?: string
}

/** The field errors of options; empty: valid. */
export function deleteOptionsErrors(options: DeleteOptions): FieldError[] {
  const errors: FieldError[] = []
  const { propagationPolicy: policy, orphanDependents, dryRun = [] } = options
  if (policy !== undefined && orphanDependents !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set'
    errors.push(invalidField('propagationPolicy', policy, detail))
  } else if (policy !== undefined && !['Foreground', 'Background', 'Orphan', ''].includes(policy)) {
    errors.push(
      notSupportedField('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil']),
    )
  }
  if (dryRun.some((value) => value !== 'All'))
    errors.push(notSupportedField('dryRun', dryRun, ['All']))
  return errors
}

/** @throws StatusError Conflict. Source: reference 3.5, step 2. */
export function checkPreconditions(
  preconditions: Preconditions | undefined,
  object: ApiObject,
  resource: ResourceDefinition,
): void {
  const { uid, resourceVersion: version } = preconditions ?? {}
  const { metadata } = object
  // The real server names the kind here, where it otherwise names the resource.
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

export type DeleteDecision =
  /** Nothing holds the object. */
  | { act: 'remove' }
  /** It is being deleted already, and this request changes nothing. */
  | { act: 'wait' }
  /** `object` is the marked copy to store. */
  | { act: 'mark'; object: ApiObject }

/** What a delete does to `object`, which is not changed. Source: reference 3.5, the state machine. */
export function decideDelete(
  object: ApiObject,
  resource: ResourceDefinition,
  options: DeleteOptions,
  nowMs: number,
): DeleteDecision {
  const grace = graceFor(object, resource, options)
  const isHeld = isHeldFromDeletion(object, resource)
  if (object.metadata.deletionTimestamp !== undefined)
    return decideAgain(object, grace, isHeld, nowMs)
  if (!isHeld && (grace ?? 0) === 0) return { act: 'remove' }
  const marked = structuredClone(object)
  mark(marked, nowMs, grace ?? 0)
  resource.strategy.markDeleted?.(marked)
  return { act: 'mark', object: marked }
}

/** Whether finalizers, of metadata or of the kind's own, keep the object. */
export function isHeldFromDeletion(object: ApiObject, { strategy }: ResourceDefinition): boolean {
  return (object.metadata.finalizers ?? []).length > 0 || strategy.holdsDeletion?.(object) === true
}

/** Whether an update that stored `next` over `old` completes a deletion. */
export function completesDeletion(
  next: ApiObject,
  old: ApiObject,
  resource: ResourceDefinition,
): boolean {
  if (old.metadata.deletionTimestamp === undefined) return false
  return (old.metadata.deletionGracePeriodSeconds ?? 0) === 0 && !isHeldFromDeletion(next, resource)
}

function graceFor(
  object: ApiObject,
  { strategy }: ResourceDefinition,
  { gracePeriodSeconds: given }: DeleteOptions,
): number | undefined {
  const asked = given !== undefined && given < 0 ? 1 : given
  return strategy.gracefulDelete?.(object, asked)
}

function decideAgain(
  object: ApiObject,
  grace: number | undefined,
  isHeld: boolean,
  nowMs: number,
): DeleteDecision {
  const stored = object.metadata.deletionGracePeriodSeconds ?? 0
  if (stored === 0) return isHeld ? { act: 'wait' } : { act: 'remove' }
  if (grace === undefined || grace >= stored) return { act: 'wait' }
  if (grace === 0 && !isHeld) return { act: 'remove' }
  const marked = structuredClone(object)
  const wanted = Date.parse(object.metadata.deletionTimestamp ?? '') - (stored - grace) * 1000
  marked.metadata.deletionTimestamp = formatTime(Math.max(wanted, nowMs))
  marked.metadata.deletionGracePeriodSeconds = wanted < nowMs && grace !== 0 ? 1 : grace
  return { act: 'mark', object: marked }
}

function mark(object: ApiObject, nowMs: number, graceSeconds: number): void {
  const { metadata } = object
  metadata.deletionTimestamp = formatTime(nowMs + graceSeconds * 1000)
  metadata.deletionGracePeriodSeconds = graceSeconds
  if ((metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1
}

/** @throws StatusError Invalid, as options of a delete are refused. */
export function checkDeleteOptions(options: DeleteOptions): void {
  const errors = deleteOptionsErrors(options)
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors)
}
