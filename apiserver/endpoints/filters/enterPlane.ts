import type { Exchange } from '../exchange.ts'

/**
 * Lets a restricted plane admit the request. It runs after authentication, so that nothing is opened for anonymous
 * requests, and before impersonation, which is a right within the plane.
 */
export function enterPlane(exchange: Exchange): void | Promise<void> {
  return exchange.plane.enter?.(exchange)
}
