import { createHash } from 'node:crypto'
import { jsonText } from '../apiserver/meta/json/exactJson.ts'

/** A document ready to be sent. */
export interface ServedDocument {
  body: Buffer
  contentType: string
  /** The quoted etag, as in the header. */
  etag: string
}

export interface HashedDocument extends ServedDocument {
  /** The value of `?hash=` with which the response may be cached forever: the etag without its quotes. */
  hash: string
}

/** `value` as compact JSON; the hash is the upper-case hex SHA-512 of it. Source: reference 6.4, 6.5. */
export function jsonDocument(value: unknown, contentType = 'application/json'): HashedDocument {
  const body = Buffer.from(jsonText(value))
  const hash = createHash('sha512').update(body).digest('hex').toUpperCase()
  return { body, contentType, etag: `"${hash}"`, hash }
}
