import { jsonType } from '../encoding/mediaTypes.ts'
import { negotiateAggregatedDiscovery } from '../encoding/negotiateDiscovery.ts'
import { notAcceptable, routeMethodNotAllowed } from '../meta/statusErrors.ts'
import type { Exchange } from './exchange.ts'
import { outputFormat } from './outputFormat.ts'
import { start, writeBody, writeValue } from './response.ts'

/** Bytes that are made once and sent often. */
export interface Document {
  body: Buffer
  contentType: string
  /** With its quotes. */
  etag: string
}

type MaybeDocument = Document | undefined

/** The documents that describe a plane's API; undefined stands for 404. */
export interface DocumentSource {
  api(serverAddress: string): MaybeDocument
  apis(): MaybeDocument
  group(name: string): MaybeDocument
  groupVersion(groupVersion: { group: string; version: string }): MaybeDocument
  aggregated(root: 'api' | 'apis', version: 'v2' | 'v2beta1'): MaybeDocument
  openapiV2(): Document
  openapiV2Protobuf(): Promise<Document>
  openapiV3Index(): Document
  /** The hash is what the index names the document's revision by. */
  openapiV3(key: string): (Document & { hash: string }) | undefined
  /** The paths of `/`. */
  index(): Buffer
  version(): Buffer
}

/** Answers discovery, OpenAPI, the index and the version. False: the path is none of these.
 *  Source: reference 6.1 – 6.8. */
export async function serveApiDocument(
  exchange: Exchange,
  source: DocumentSource,
): Promise<boolean> {
  const path = exchange.path.replace(/\/+$/, '')
  const [root = '', ...rest] = path.split('/').slice(1)
  const answer = await answerFor(exchange, source, root, rest)
  if (answer === undefined) return false
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw routeMethodNotAllowed()
  await answer()
  return true
}

type Answer = () => Promise<void>

async function answerFor(
  exchange: Exchange,
  source: DocumentSource,
  root: string,
  rest: string[],
): Promise<Answer | undefined> {
  const indented = (body: Buffer) => () =>
    writeBody(exchange, body, { code: 200, mediaType: 'application/json' })
  switch (root) {
    case '':
    case 'index.html':
      return rest.length === 0 ? indented(source.index()) : undefined
    case 'version':
      return rest.length === 0 ? indented(source.version()) : undefined
    case 'api':
    case 'apis':
      return discoveryAnswer(exchange, source, root, rest)
    case 'openapi':
      return openapiAnswer(exchange, source, rest)
    default:
      return undefined
  }
}

function discoveryAnswer(
  exchange: Exchange,
  source: DocumentSource,
  root: 'api' | 'apis',
  rest: string[],
): Answer | undefined {
  const [first, second] = rest
  if (first === undefined) {
    const { accept, host, ':authority': authority } = exchange.request.headers
    const wanted = negotiateAggregatedDiscovery(accept)
    const aggregated = wanted && source.aggregated(root, wanted.version)
    if (aggregated !== undefined) return () => writeCacheable(exchange, aggregated)
    return plain(
      exchange,
      root === 'api' ? source.api(host ?? String(authority ?? '')) : source.apis(),
    )
  }
  if (root === 'api')
    return rest.length === 1
      ? plain(exchange, source.groupVersion({ group: '', version: first }))
      : undefined
  if (second === undefined) return plain(exchange, source.group(first))
  return rest.length === 2
    ? plain(exchange, source.groupVersion({ group: first, version: second }))
    : undefined
}

/** A legacy document, in whichever form Accept asks for. */
function plain(exchange: Exchange, document: MaybeDocument): Answer | undefined {
  if (document === undefined) return undefined
  return async () => {
    const format = outputFormat(exchange, 'none')
    if (format.mediaType === jsonType && !format.pretty) {
      await writeBody(exchange, document.body, { code: 200, mediaType: document.contentType })
      return
    }
    const value: unknown = JSON.parse(document.body.toString('utf8'))
    await writeValue(exchange, value, { code: 200, format })
  }
}

const protobufV2 = /^application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf$/

function openapiAnswer(
  exchange: Exchange,
  source: DocumentSource,
  rest: string[],
): Answer | undefined {
  const [version, ...key] = rest
  if (version === 'v2' && key.length === 0) return () => writeV2(exchange, source)
  if (version !== 'v3') return undefined
  if (key.length === 0) return () => writeCacheable(exchange, source.openapiV3Index())
  const document = source.openapiV3(key.join('/'))
  return document && (() => writeV3(exchange, document))
}

async function writeV2(exchange: Exchange, source: DocumentSource): Promise<void> {
  for (const type of acceptedTypes(exchange)) {
    if (protobufV2.test(type)) return writeCacheable(exchange, await source.openapiV2Protobuf())
    if (jsonRanges.has(type)) return writeCacheable(exchange, source.openapiV2())
  }
  throw notAcceptable([
    'application/json',
    'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  ])
}

const jsonRanges = new Set([jsonType, '*/*', 'application/*', ''])

/** The types that a client names, in its order and without parameters. */
function acceptedTypes({ request }: Exchange): string[] {
  const { accept = '*/*' } = request.headers
  return accept.split(',').map((clause) => clause.split(';', 1)[0]?.trim() ?? '')
}

const yearSeconds = 365 * 24 * 60 * 60

/** With the right hash the answer holds for ever; with a wrong one the client is sent to the right one. */
async function writeV3(exchange: Exchange, document: Document & { hash: string }): Promise<void> {
  if (!acceptedTypes(exchange).some((type) => jsonRanges.has(type))) throw notAcceptable([jsonType])
  const asked = exchange.query.get('hash')
  if (asked === null || asked === '') return writeCacheable(exchange, document)
  if (asked !== document.hash) {
    // The client's own path: that of the exchange is without the plane's prefix.
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

/** Writes a document with its ETag, or 304 where the client has it. */
async function writeCacheable(
  exchange: Exchange,
  { body, contentType, etag }: Document,
  extra: Record<string, string> = { 'Cache-Control': 'public' },
): Promise<void> {
  const headers = { ETag: etag, Vary: 'Accept', ...extra }
  if (exchange.request.headers['if-none-match'] === etag) {
    start(exchange, 304, headers)
    exchange.response.end()
    return
  }
  await writeBody(exchange, body, { code: 200, mediaType: contentType, extra: headers })
}
