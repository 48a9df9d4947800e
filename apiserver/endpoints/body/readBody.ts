import { badRequest } from '../../meta/statusErrors.ts'
import { requestBody } from '../../runtime/requestBody.ts'
import { nextTurn, type Exchange } from '../exchange.ts'

/** Maximum size of a body. Source: reference 1.2. */
const maxBodyBytes = 3 * 1024 * 1024

/**
 * Reads the whole body of a request, and waits for the user's turn. @throws StatusError RequestEntityTooLarge;
 * BadRequest if the client disconnects before the end.
 */
export async function readBody(exchange: Exchange): Promise<Buffer> {
  const body = await requestBody(exchange.request, maxBodyBytes)
  const turn = nextTurn(exchange, body.length)
  if (turn === undefined) return body
  await turn
  // The client no longer waits for the response.
  if (exchange.gaveUp === 'late' || exchange.response.destroyed) throw goneAway()
  return body
}

function goneAway(): Error {
  return badRequest('the request was given up before it was its turn')
}
