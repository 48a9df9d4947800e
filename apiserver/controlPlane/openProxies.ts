import { PlaceConnections } from '../aggregation/placeConnections.ts'
import type { ControlPlane } from './controlPlane.ts'

/**
 * Proxies requests for proxy subresources to the pods, services and nodes of a plane, until it is
 * stopped.
 */
export function openProxies({ plane }: { plane: ControlPlane }): { stop(): void } {
  plane.proxy = new PlaceConnections()
  return {
    stop: () => {
      plane.proxy = undefined
    },
  }
}
