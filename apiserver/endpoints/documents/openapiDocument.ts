import { parseAccept, type AcceptClause } from '../../encoding/acceptHeader.ts'
import { acceptOf } from '../response/acceptOf.ts'
import { writeCacheable, type Document } from './cacheableDocument.ts'
import type { Exchange } from '../exchange.ts'
import { start } from '../response/response.ts'

/** A document of OpenAPI v3. The hash names its revision in the index. */
export type HashedDocument = Document & { hash: string }

/** The OpenAPI documents of a plane; undefined: 404. */
export interface OpenApiSource {
  openapiV2(): Promise<Document>
  openapiV2Protobuf(): Promise<Document>
  openapiV3Index(): Promise<Document>
  openapiV3(key: string): Promise<HashedDocument> | undefined
  openapiV3Protobuf(key: string): Promise<HashedDocument> | undefined
}

/** The document at `/openapi/<rest>`. Source: reference 6.4, 6.5. */
export function openapiAnswer(
  exchange: Exchange,
  source: OpenApiSource,
  [version, ...rest]: string[],
): (() => Promise<void>) | undefined {
  const key = rest.join('/')
  const isIndex = rest.length === 0
  if (version === 'v2' && isIndex) return () => writeV2(exchange, source)
  if (version !== 'v3') return undefined
  if (isIndex) return async () => writeCacheable(exchange, await source.openapiV3Index(), asked)
  const document = source.openapiV3(key)
  if (document === undefined) return async () => writeNothing(exchange, 404)
  return () => writeV3(exchange, source, key, document)
}

/** Caching headers: documents change with the served kinds, so clients revalidate them by ETag. */
const asked = { 'Cache-Control': 'no-cache, private' }
const v2Vary = 'Accept-Encoding, Accept'
const v2Headers = { ...asked, Vary: v2Vary }

async function writeV2(exchange: Exchange, source: OpenApiSource): Promise<void> {
  switch (wantedForm(exchange, 'v2')) {
    case 'json':
      return writeCacheable(exchange, await source.openapiV2(), v2Headers)
    case 'protobuf':
      return writeCacheable(exchange, await source.openapiV2Protobuf(), v2Headers)
    case undefined:
      return writeNothing(exchange, 406, { Vary: v2Vary })
  }
}

async function writeV3(
  exchange: Exchange,
  source: OpenApiSource,
  key: string,
  json: Promise<HashedDocument>,
): Promise<void> {
  switch (wantedForm(exchange, 'v3')) {
    case 'json':
      return writeHashed(exchange, await json)
    case 'protobuf':
      return writeHashed(exchange, await (source.openapiV3Protobuf(key) ?? json))
    case undefined:
      return writeNothing(exchange, 406, { Vary: 'Accept' })
  }
}

/** Form requested by the first satisfiable clause; a wildcard selects JSON. */
function wantedForm({ request }: Exchange, version: string): 'json' | 'protobuf' | undefined {
  const accept = acceptOf(request) ?? ''
  const protobufs = ['@', '.'].map(
    (mark) => `com.github.proto-openapi.spec.${version}${mark}v1.0+protobuf`,
  )
  for (const clause of parseAccept(accept === '' ? '*/*' : accept)) {
    if (matchesJson(clause)) return 'json'
    if (clause.type === 'application' && protobufs.includes(clause.subtype)) return 'protobuf'
  }
  return undefined
}

function matchesJson({ type, subtype }: AcceptClause): boolean {
  if (type === '*') return subtype === '*'
  return type === 'application' && (subtype === '*' || subtype === 'json')
}

/** Refusal without a body, as sent by the library of these documents. */
function writeNothing(exchange: Exchange, code: number, headers: { Vary?: string } = {}): void {
  start(exchange, code, { 'Content-Length': 0, ...headers })
  exchange.response.end()
}

const yearSeconds = 365 * 24 * 60 * 60

/** Writes a document: with its hash it can be cached forever; a different hash is redirected to the current one. */
async function writeHashed(exchange: Exchange, document: HashedDocument): Promise<void> {
  const hash = exchange.query.get('hash')
  if (hash === null || hash === '') return writeCacheable(exchange, document, asked)
  if (hash !== document.hash) {
    // The client's own path: the exchange's path lacks the plane's prefix.
    const [path = ''] = (exchange.request.url ?? '').split('?', 1)
    start(exchange, 301, {
      Location: `${path}?hash=${document.hash}`,
      'Content-Length': 0,
    })
    exchange.response.end()
    return
  }
  const expires = new Date(exchange.startedMs + yearSeconds * 1000).toUTCString()
  await writeCacheable(exchange, document, {
    'Cache-Control': 'public, immutable',
    Expires: expires,
  })
}
