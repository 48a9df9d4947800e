import { badRequest } from '../../meta/statusErrors.ts'
import { requestBody } from '../../runtime/requestBody.ts'
import { callerTurns } from './userFairness.ts'
import type { Exchange } from '../exchange.ts'

/** Source: reference 1.2. */
const maxBodyBytes = 3 * 1024 * 1024

/** The whole body of a request, when it is its turn to be worked on. @throws StatusError RequestEntityTooLarge;
 *  BadRequest when the client goes away before. */
export async function readBody(exchange: Exchange): Promise<Buffer> {
  const body = await requestBody(exchange.request, maxBodyBytes)
  const turn = callerTurns.next(exchange.user.name, body.length)
  if (turn === undefined) return body
  await turn
  // Nobody waits for the answer any more.
  if (exchange.gaveUp === 'late' || exchange.response.destroyed) throw goneAway()
  return body
}

function goneAway(): Error {
  return badRequest('the request was given up before it was its turn')
}
