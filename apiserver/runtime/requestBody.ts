import type { IncomingMessage } from 'node:http'
import { guarded } from '../meta/waiting/guarded.ts'
import { badRequest, requestEntityTooLarge } from '../meta/statusErrors.ts'

/**
 * Reads the whole body of a request. @throws StatusError RequestEntityTooLarge as soon as it exceeds `maxBytes`;
 * BadRequest if the client disconnects before the end.
 */
export function requestBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const announced = Number(request.headers['content-length'] ?? 0)
    if (announced > maxBytes) return refuse(request, maxBytes, reject)
    const chunks = new Chunks()
    let length = 0
    const take = (chunk: Buffer): void => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= maxBytes) return
      request.off('data', taken)
      refuse(request, maxBytes, reject)
    }
    const taken = guarded('requestBody.data', reject, take)
    request.on('data', taken)
    const end = () => resolve(chunks.whole())
    request.on('end', guarded('requestBody.end', reject, end))
    request.on('error', (error) => reject(badRequest('the request body could not be read', error)))
    // The event also fires after the end, when creating an error would be wasted work for every request.
    request.on('close', () => {
      if (request.complete) return
      reject(badRequest('the connection was closed before the body was complete'))
    })
  })
}

/** Size of the blocks that small chunks are copied into. */
const blockBytes = 64 * 1024

/** Chunks of a body. A client may send each byte as a chunk, and each buffer takes a hundred bytes or more. */
class Chunks {
  readonly #parts: Buffer[] = []
  #block: Buffer | undefined
  #used = 0

  push(chunk: Buffer): void {
    // The only chunk of most bodies is not copied.
    if (this.#parts.length === 0 && this.#block === undefined) {
      this.#parts.push(chunk)
      return
    }
    if (this.#block !== undefined && this.#used + chunk.length > blockBytes) this.#flush()
    if (chunk.length > blockBytes / 4) {
      this.#flush()
      this.#parts.push(chunk)
      return
    }
    this.#block ??= Buffer.allocUnsafeSlow(blockBytes)
    this.#used += chunk.copy(this.#block, this.#used)
  }

  whole(): Buffer {
    this.#flush()
    const [first] = this.#parts
    return this.#parts.length === 1 && first !== undefined ? first : Buffer.concat(this.#parts)
  }

  #flush(): void {
    if (this.#block !== undefined) this.#parts.push(this.#block.subarray(0, this.#used))
    this.#block = undefined
    this.#used = 0
  }
}

/**
 * HTTP/1.1 clients send the whole body before they read the response: the rest is read and discarded until the
 * connection is closed after the response. An HTTP/2 stream ends by itself.
 */
function refuse(request: IncomingMessage, maxBytes: number, reject: (error: Error) => void): void {
  reject(requestEntityTooLarge(`limit is ${maxBytes}`))
  if (request.httpVersionMajor === 1) request.resume()
  else request.pause()
}
