import type { Exchange } from '../exchange.ts'
import { start, writeBody } from '../response/response.ts'

/** A document that is created once and sent often. */
export interface Document {
  body: Buffer
  contentType: string
  /** The etag with its quotes. */
  etag: string
}

/** Writes a document with its ETag, or 304 if the client has it. */
export async function writeCacheable(
  exchange: Exchange,
  { body, contentType, etag }: Document,
  extra: Record<string, string> = { 'Cache-Control': 'public' },
): Promise<void> {
  const headers = { ETag: etag, Vary: 'Accept', ...extra }
  if (isKnown(exchange.request.headers['if-none-match'], etag)) {
    start(exchange, 304, headers)
    exchange.response.end()
    return
  }
  await writeBody(exchange, body, { code: 200, mediaType: contentType, extra: headers })
}

/** Reports whether the client has the document: tags are compared weakly. Source: RFC 9110, section 13.1.2. */
function isKnown(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false
  const tags = given.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || given.trim() === '*'
}
