import { createHash } from 'node:crypto'
import { jsonText } from '../../apiserver/meta/json/exactJson.ts'
import type { Steps } from '../../apiserver/meta/waiting/steps.ts'

/** Document ready to be sent. */
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

/** Encodes `value` as compact JSON; the hash is its upper-case hex SHA-512. Source: reference 6.4, 6.5. */
export function* jsonDocument(
  value: object,
  contentType = 'application/json',
): Steps<HashedDocument> {
  const hashed = createHash('sha512')
  const pieces: Buffer[] = []
  for (const text of jsonPieces(value, largeLevels)) {
    const piece = Buffer.from(text)
    hashed.update(piece)
    pieces.push(piece)
    yield
  }
  const hash = hashed.digest('hex').toUpperCase()
  return { body: Buffer.concat(pieces), contentType, etag: `"${hash}"`, hash }
}

/**
 * Number of levels of a document at which members are written one by one: `components`, `schemas`,
 * each schema.
 */
const largeLevels = 3

function* jsonPieces(value: unknown, levels: number): Generator<string> {
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    yield jsonText(value)
    return
  }
  let before = '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* jsonPieces(member, levels - 1)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}
