import { jsonText } from '../meta/json/exactJson.ts'
import { createHash } from 'node:crypto'

/** A document ready to be sent: bytes, not objects, since it is sent often and made once. */
export interface ServedDocument {
  body: Buffer
  contentType: string
  /** With its quotes, as the header has it. Legacy documents go out without one. */
  etag: string
}

/** `value` as compact JSON and a line end. The etag is the quoted upper-case hex SHA-512 of the JSON without it.
 *  Source: reference 6.2, 1.10. */
export function jsonDocument(value: unknown, contentType = 'application/json'): ServedDocument {
  const json = jsonText(value)
  return { body: Buffer.from(`${json}\n`), contentType, etag: etagOf(json) }
}

function etagOf(text: string): string {
  return `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`
}
