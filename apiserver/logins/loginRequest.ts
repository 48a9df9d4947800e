import type { IncomingMessage } from 'node:http'
import { isObject } from '../meta/isObject.ts'
import { StatusError } from '../meta/status.ts'
import { badRequest, forbiddenPath, requestEntityTooLarge } from '../meta/statusErrors.ts'

/** Larger than any response of a SAML provider with a thousand groups. */
const maxBodyBytes = 512 * 1024

/** A request to a login path. */
export interface LoginRequest {
  method: string
  /** With a base that stands for this server alone: path and query are the client's. */
  url: URL
  headers: IncomingMessage['headers']
  /** Where it comes from. */
  address: string
  /** A browser asks for a page, and not a program for JSON. */
  wantsPage: boolean
  /** The body: the fields of a form, or those of a JSON object that are texts. */
  fields: () => Promise<URLSearchParams>
}

export function loginRequest(request: IncomingMessage): LoginRequest {
  const { headers, method = 'GET', url = '/' } = request
  const accept = headers.accept ?? ''
  return {
    method: method === 'HEAD' ? 'GET' : method,
    url: new URL(url.replace(/^\/+/, '/'), 'http://server'),
    headers,
    address: request.socket.remoteAddress ?? '',
    wantsPage: accept.includes('text/html'),
    fields: () => readFields(request),
  }
}

/** Refuses what a page of another site sends: a login is nothing that happens to a user.
 *  @throws StatusError Forbidden. */
export function checkOrigin({ headers }: LoginRequest): void {
  const { origin, host, ':authority': authority } = headers
  const own = host ?? (Array.isArray(authority) ? authority[0] : authority)
  const isForeign =
    headers['sec-fetch-site'] === 'cross-site' ||
    (origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== own))
  if (isForeign) throw forbiddenPath('a login cannot be sent from another site')
}

/** The value of `Authorization: Bearer`, whose scheme is the same in small and capital letters. */
export function bearerOf({ headers }: LoginRequest): string | undefined {
  return /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

export function cookieOf({ headers }: LoginRequest, name: string): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2)
    if (key === name) return value
  }
  return undefined
}

async function readFields(request: IncomingMessage): Promise<URLSearchParams> {
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
  } catch (error) {
    throw badRequest('the body is not JSON', error)
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
