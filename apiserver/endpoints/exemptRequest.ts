import type { Exchange } from './exchange.ts'

/**
 * Reports whether a request is exempt from limits: requests of `system:masters` to the management API. In other planes,
 * administrators can assign any group. Source: reference 1.7.
 */
export function isExemptRequest({ user, plane }: Exchange): boolean {
  return plane.enter === undefined && user.groups.includes('system:masters')
}
