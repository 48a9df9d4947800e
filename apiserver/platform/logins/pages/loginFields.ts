import type { IncomingMessage } from 'node:http'
import { isObject } from '../../../meta/json/isObject.ts'
import { StatusError } from '../../../meta/status.ts'
import { badRequest, requestEntityTooLarge } from '../../../meta/statusErrors.ts'
import { requestBody } from '../../../runtime/requestBody.ts'

/** Maximum size, larger than any response of a SAML provider with a thousand groups. */
const maxBodyBytes = 512 * 1024

/** Maximum number of fields, or of commas in JSON. */
const maxFields = 1_000

/**
 * The fields of a form, or the string members of a JSON object. @throws StatusError UnsupportedMediaType; BadRequest;
 * RequestEntityTooLarge. No message quotes the body.
 */
export async function readFields(request: IncomingMessage): Promise<URLSearchParams> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';')
  const mediaType = type.trim().toLowerCase()
  const isForm = mediaType === 'application/x-www-form-urlencoded'
  if (!isForm && mediaType !== 'application/json') {
    const why = 'the body has to be application/json or application/x-www-form-urlencoded'
    throw new StatusError(415, 'UnsupportedMediaType', why)
  }
  const text = (await requestBody(request, maxBodyBytes)).toString('utf8')
  checkCount(text, isForm)
  return isForm ? new URLSearchParams(text) : fieldsOfJson(text)
}

/**
 * Limits the fields before parsing, since clients are not authenticated here. @throws StatusError
 * RequestEntityTooLarge.
 */
function checkCount(text: string, isForm: boolean): void {
  const sign = isForm ? '&' : ','
  for (let at = text.indexOf(sign), count = 1; at >= 0; at = text.indexOf(sign, at + 1)) {
    if (++count > maxFields) throw requestEntityTooLarge(`a login has at most ${maxFields} fields`)
  }
}

function fieldsOfJson(text: string): URLSearchParams {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message quotes its input, which may be a password.
    throw badRequest('the body is not JSON')
  }
  if (!isObject(value)) throw badRequest('the body has to be a JSON object')
  const texts = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return new URLSearchParams(texts)
}
