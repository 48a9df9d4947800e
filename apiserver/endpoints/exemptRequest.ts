import type { Exchange } from './exchange.ts'

/** Whether a request is served however much there is to do: that of `system:masters` of the management API. In a plane of
 *  its own, whoever rules it can call themselves what they like. Source: reference 1.7. */
export function isNeverTurnedAway({ user, plane }: Exchange): boolean {
  return plane.enter === undefined && user.groups.includes('system:masters')
}
