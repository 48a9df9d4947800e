import { formatTime, type Clock, type Random } from '../../meta/clock.ts'
import { parseUint64 } from '../../meta/json/integers.ts'
import { badRequest, plainError } from '../../meta/statusErrors.ts'
import type { ApiObject, ObjectMeta, OwnerReference } from '../../meta/types.ts'
import type { RequestContext } from '../strategy.ts'

/** Removes fields that only the server sets from an object to create. Source: reference 3.1. */
export function wipeSystemMetadata(meta: ObjectMeta): void {
  delete meta.creationTimestamp
  delete meta.uid
  delete meta.deletionTimestamp
  delete meta.deletionGracePeriodSeconds
  delete meta.selfLink
}

export function fillSystemMetadata(meta: ObjectMeta, clock: Clock, random: Random): void {
  meta.creationTimestamp = formatTime(clock.now())
  meta.uid = random.uuid()
}

/** Sets the object's namespace to the request's, or refuses another one. Source: reference 1.16. */
export function matchNamespace(meta: ObjectMeta, requestNamespace: string): void {
  const given = meta.namespace ?? ''
  if (given === requestNamespace) return
  if (given === '') meta.namespace = requestNamespace
  else if (requestNamespace === '') delete meta.namespace
  else {
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    )
  }
}

const ownerFields = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion']

/** Refuses a revision of a new object; 0 and malformed ones count as absent. @throws StatusError 500. */
export function refuseRevision({ resourceVersion }: ObjectMeta): void {
  if (resourceVersion === undefined || (parseUint64(resourceVersion) ?? 0n) === 0n) return
  throw plainError('resourceVersion should not be set on objects to be created')
}

/** Drops duplicate owner references of a patch or of mutating admission, with a warning. */
export function dropLaterOwners(object: ApiObject, { warn }: Pick<RequestContext, 'warn'>): void {
  const warning = dedupOwners(object, 'later')
  if (warning !== undefined) warn(warning)
}

/**
 * Drops duplicate owner references; returns the warning with their UIDs. Those of a body are dropped first, those of a
 * patch or of mutating admission later, with another message.
 */
export function dedupOwners(object: ApiObject, origin: 'body' | 'later'): string | undefined {
  const owners = object.metadata.ownerReferences
  if (owners === undefined || owners.length < 2) return undefined
  const kept = new Map<string, OwnerReference>()
  const repeated = new Set<string>()
  for (const owner of owners) {
    const whole = JSON.stringify(owner, ownerFields)
    if (kept.has(whole)) repeated.add(owner.uid)
    else kept.set(whole, owner)
  }
  if (repeated.size === 0) return undefined
  object.metadata.ownerReferences = [...kept.values()]
  const when = origin === 'later' ? ' after mutating admission happens' : ''
  return `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...repeated].join(', ')}`
}
