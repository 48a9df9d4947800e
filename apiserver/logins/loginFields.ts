import type { IncomingMessage } from 'node:http'
import { isObject } from '../meta/isObject.ts'
import { StatusError } from '../meta/status.ts'
import { badRequest, requestEntityTooLarge } from '../meta/statusErrors.ts'

/** Larger than any response of a SAML provider with a thousand groups. */
const maxBodyBytes = 512 * 1024

/** The fields of a form, or those of a JSON object that are texts. @throws StatusError UnsupportedMediaType; BadRequest;
 *  RequestEntityTooLarge. None of them says what the body held. */
export async function readFields(request: IncomingMessage): Promise<URLSearchParams> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';')
  const mediaType = type.trim().toLowerCase()
  const isForm = mediaType === 'application/x-www-form-urlencoded'
  if (!isForm && mediaType !== 'application/json') {
    const why = 'the body has to be application/json or application/x-www-form-urlencoded'
    throw new StatusError(415, 'UnsupportedMediaType', why)
  }
  const text = (await readBody(request)).toString('utf8')
  return isForm ? new URLSearchParams(text) : fieldsOfJson(text)
}

function fieldsOfJson(text: string): URLSearchParams {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message quotes what it could not read, which may be a password.
    throw badRequest('the body is not JSON')
  }
  if (!isObject(value)) throw badRequest('the body has to be a JSON object')
  const texts = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return new URLSearchParams(texts)
}

function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBodyBytes) {
        request.pause()
        reject(requestEntityTooLarge(`limit is ${maxBodyBytes}`))
      } else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', (error) => reject(badRequest('the body could not be read', error)))
    request.on('close', () => {
      if (!request.complete) reject(badRequest('the connection was closed too early'))
    })
  })
}
