import { deepCopy } from '../../meta/json/plainMembers.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { DeleteOptions } from './deleteOptions.ts'
import type { ResourceDefinition } from '../resource.ts'

/** Keeps an owner until its dependents are orphaned. */
export const orphanFinalizer = 'orphan'
/** Keeps an owner until its blocking dependents are gone. */
export const foregroundFinalizer = 'foregroundDeletion'

type Propagation = 'orphan' | 'foreground' | 'background'

/**
 * `object` with the finalizer for the propagation policy; itself if nothing changes.
 * Source: reference 3.6.
 */
export function withDependentsFinalizer(
  object: ApiObject,
  { strategy }: ResourceDefinition,
  options: DeleteOptions,
): ApiObject {
  if (strategy.deletion?.propagation === 'unsupported') return object
  const before = object.metadata.finalizers ?? []
  const propagation = propagationOf(before, options, strategy.deletion?.propagation ?? 'background')
  const after = before.filter((name) => name !== orphanFinalizer && name !== foregroundFinalizer)
  if (propagation === 'orphan') after.push(orphanFinalizer)
  if (propagation === 'foreground') after.push(foregroundFinalizer)
  if (after.length === before.length && after.every((name) => before.includes(name))) return object
  const next = deepCopy(object)
  if (after.length === 0) delete next.metadata.finalizers
  else next.metadata.finalizers = after
  return next
}

/** The propagation policy: the request's takes precedence over an earlier deletion's, then the kind's default. */
function propagationOf(
  finalizers: readonly string[],
  { orphanDependents, propagationPolicy }: DeleteOptions,
  kindDefault: Propagation,
): Propagation {
  if (orphanDependents !== undefined) return orphanDependents ? 'orphan' : 'background'
  if (propagationPolicy === 'Orphan') return 'orphan'
  if (propagationPolicy === 'Foreground') return 'foreground'
  if (propagationPolicy === 'Background') return 'background'
  if (finalizers.includes(orphanFinalizer)) return 'orphan'
  return finalizers.includes(foregroundFinalizer) ? 'foreground' : kindDefault
}
