import { requestTimeout } from '../meta/statusErrors.ts'
import { userTurn } from '../registry/userTurns.ts'
import { nextTurn, type Exchange } from './exchange.ts'

/** The next turn of long work for a request. @throws StatusError 504 if the client no longer waits. */
export function longWorkTurn(exchange: Exchange): Promise<unknown> {
  if (exchange.response.destroyed) throw requestTimeout()
  return userTurn((bytes) => nextTurn(exchange, bytes))
}
