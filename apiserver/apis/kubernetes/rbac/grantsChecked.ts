import type { ApiObject } from '../../../meta/types.ts'
import type { RequestContext, Strategy } from '../../../registry/strategy.ts'
import { changesOwnersOnly } from './changesOwnersOnly.ts'

/** Refuses a write that would grant more than its user has, by throwing. `old` is undefined for a new object. */
export type GrantCheck = (
  next: ApiObject,
  old: ApiObject | undefined,
  context: RequestContext,
) => void

/** Checks the grants of a write before the object is validated. Source: kube-apiserver, which asks around its
 *  storage; seen on 1.37.2. */
export function grantsChecked(check: GrantCheck): NonNullable<Strategy['authorizeWrite']> {
  // A failed check rejects the promise.
  return async (next, old, context) => {
    if (old === undefined || !changesOwnersOnly(next, old)) check(next, old, context)
  }
}
