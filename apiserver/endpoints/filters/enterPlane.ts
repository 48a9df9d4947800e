import type { Exchange } from '../exchange.ts'

/** A plane that is not everybody's decides who comes in, once it is known who asks. After authentication, so that nothing
 *  is made for who is nobody; before impersonation, which is a right of the plane. */
export function enterPlane(exchange: Exchange): void | Promise<void> {
  return exchange.plane.enter?.(exchange)
}
