import type { ApiObject } from '../../meta/types.ts'
import type { RequestContext } from '../../registry/strategy.ts'

/**
 * Makes the caller, if it is a user or a team of the platform, the owner of an object that has
 * none. Changes `object`.
 * Source: platform facts 7.3.
 */
export function fillOwner(object: ApiObject, { user: { credential } }: RequestContext): void {
  // Guaranteed by the schema of kinds with owners.
  const spec = object['spec'] as { owner?: { user?: string; team?: string } } | undefined
  if (spec === undefined || spec.owner?.user !== undefined || spec.owner?.team !== undefined) return
  const { user, team } = credential ?? {}
  if (user !== undefined) spec.owner = { user }
  else if (team !== undefined) spec.owner = { team }
}
