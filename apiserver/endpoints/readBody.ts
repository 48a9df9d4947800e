import type { IncomingMessage } from 'node:http'
import { badRequest, requestEntityTooLarge } from '../meta/statusErrors.ts'
import { callerTurns } from './callerTurns.ts'
import type { Exchange } from './exchange.ts'

/** Source: reference 1.2. */
const maxBodyBytes = 3 * 1024 * 1024

/** The whole body of a request, when it is its turn to be worked on. @throws StatusError RequestEntityTooLarge, without
 *  reading on; BadRequest when the client goes away before. */
export async function readBody(exchange: Exchange): Promise<Buffer> {
  const body = await received(exchange.request)
  const turn = callerTurns.next(exchange.user.name, body.length)
  if (turn === undefined) return body
  await turn
  // Nobody waits for the answer any more.
  if (exchange.gaveUp === 'late' || exchange.response.destroyed) throw goneAway()
  return body
}

function received(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const announced = Number(request.headers['content-length'] ?? 0)
    if (announced > maxBodyBytes) {
      reject(tooLarge())
      return
    }
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBodyBytes) {
        request.pause()
        reject(tooLarge())
        return
      }
      chunks.push(chunk)
    })
    request.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
    )
    request.on('error', (error) => reject(badRequest('the request body could not be read', error)))
    // It closes after the end too, and then an error would be made for nothing at every request.
    request.on('close', () => {
      if (request.complete) return
      reject(badRequest('the connection was closed before the body was complete'))
    })
  })
}

function goneAway(): Error {
  return badRequest('the request was given up before it was its turn')
}

function tooLarge(): Error {
  return requestEntityTooLarge(`limit is ${maxBodyBytes}`)
}
