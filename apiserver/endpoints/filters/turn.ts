import { nextTurn, type Exchange } from '../exchange.ts'

/** Makes a request with a long URL, because of its selectors, wait for the user's turn. */
export function takeTurn(exchange: Exchange): Promise<void> | undefined {
  return nextTurn(exchange, exchange.request.url?.length ?? 0)
}
