import { jsonText } from '../meta/json/exactJson.ts'
import { createHash } from 'node:crypto'

/** A document ready to be sent, as bytes, because it is encoded once and sent often. */
export interface ServedDocument {
  body: Buffer
  contentType: string
  /** ETag in quotes, as in the header. Legacy documents are sent without one. */
  etag: string
}

/**
 * Encodes `value` as compact JSON and a line feed. The etag is the quoted upper-case hex SHA-512 of the JSON without
 * it.
 * Source: reference 6.2, 1.10.
 */
export function jsonDocument(value: unknown, contentType = 'application/json'): ServedDocument {
  const json = jsonText(value)
  return { body: Buffer.from(`${json}\n`), contentType, etag: etagOf(json) }
}

function etagOf(text: string): string {
  return `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`
}
