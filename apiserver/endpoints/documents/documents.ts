import { jsonType, protobufType } from '../../encoding/mediaTypes.ts'
import {
  negotiateAggregatedDiscovery,
  type AggregatedDiscovery,
} from '../../encoding/negotiateDiscovery.ts'
import { routeMethodNotAllowed, routeNotAcceptable } from '../../meta/statusErrors.ts'
import { acceptOf, isAccepted } from '../response/acceptOf.ts'
import { writeCacheable, type Document } from './cacheableDocument.ts'
import type { Exchange } from '../exchange.ts'
import { openapiAnswer, type OpenApiSource } from './openapiDocument.ts'
import { outputFormat } from '../response/outputFormat.ts'
import { documentAsProtobuf } from '../response/protobufForm.ts'
import { writeBody, writeText, writeValue } from '../response/response.ts'

type MaybeDocument = Document | undefined

/** The documents that describe a plane's API; undefined: 404. */
export interface DocumentSource extends OpenApiSource {
  api(serverAddress: string): MaybeDocument
  apis(): MaybeDocument
  group(name: string): MaybeDocument
  groupVersion(groupVersion: { group: string; version: string }): MaybeDocument
  /** Reports whether clients defined all kinds of a group version. */
  isClientDefined(groupVersion: { group: string; version: string }): boolean
  aggregated(root: 'api' | 'apis', version: 'v2' | 'v2beta1'): MaybeDocument
  /** Reports whether a group has a kind that is not custom. */
  isPlainGroup(name: string): boolean
  /** The paths listed at `/`. */
  index(): Buffer
  version(): Buffer
}

/**
 * Serves discovery, OpenAPI, the index and the version, and responds to a path outside of all APIs with a 404 in plain
 * text. Groups of custom kinds have no API besides their kinds. False: the path is below an API that does not have it.
 * Source: reference 1.5, 6.1 – 6.8; seen on kube-apiserver 1.37.2.
 */
export async function serveApiDocument(
  exchange: Exchange,
  source: DocumentSource,
): Promise<boolean> {
  const [root = '', ...rest] = documentPath(exchange.path).split('/').slice(1)
  // A CONNECT request has an empty path, which differs from `/`.
  const answer = exchange.path === '' ? undefined : await answerFor(exchange, source, root, rest)
  if (answer === undefined) {
    if (isInApi(source, root, rest)) return false
    writeText(exchange, 404, '404 page not found\n')
    return true
  }
  if (exchange.method !== 'GET' && hasRoute(source, root, rest)) throw routeMethodNotAllowed()
  await answer()
  return true
}

/**
 * Path of a document: trailing slashes are ignored, except for plain web documents.
 * Source: the real server's answers.
 */
function documentPath(path: string): string {
  if (path === '/apis/') return '/apis'
  return /^\/(?:api|version|apis\/[^/]+)\//.test(path) ? path.replace(/\/+$/, '') : path
}

/**
 * Reports whether the path has only a GET route; other paths accept any method. Source: the real
 * server's answers.
 */
function hasRoute(source: DocumentSource, root: string, rest: readonly string[]): boolean {
  const [group = '', version] = rest
  if (root !== 'apis') return root === 'api' || root === 'version'
  return version !== undefined && !source.isClientDefined({ group, version })
}

/** Reports whether a missing path belongs to an API rather than being outside of all. Source: reference 1.5. */
function isInApi(source: DocumentSource, root: string, [first]: readonly string[]): boolean {
  switch (root) {
    case 'api':
      return source.api('') !== undefined
    case 'apis':
      return first === undefined || (first !== '' && source.isPlainGroup(first))
    case 'openapi':
      return first === 'v3'
    default:
      return root === 'version'
  }
}

type Answer = () => Promise<void>

async function answerFor(
  exchange: Exchange,
  source: DocumentSource,
  root: string,
  rest: string[],
): Promise<Answer | undefined> {
  const indented = (body: Buffer) => () =>
    writeBody(exchange, body, { code: 200, mediaType: jsonType })
  switch (root) {
    case '':
    case 'index.html':
      return rest.length === 0 ? indented(source.index()) : undefined
    case 'version':
      return rest.length === 0 ? () => writeVersion(exchange, source) : undefined
    case 'api':
    case 'apis':
      return discoveryAnswer(exchange, source, root, rest)
    case 'openapi':
      return openapiAnswer(exchange, source, rest)
    default:
      return undefined
  }
}

async function writeVersion(exchange: Exchange, source: DocumentSource): Promise<void> {
  if (!isAccepted(acceptOf(exchange.request) ?? '', [jsonType]))
    throw routeNotAcceptable([jsonType])
  await writeBody(exchange, source.version(), { code: 200, mediaType: jsonType })
}

function discoveryAnswer(
  exchange: Exchange,
  source: DocumentSource,
  root: 'api' | 'apis',
  rest: string[],
): Answer | undefined {
  const [first] = rest
  if (first === undefined) {
    const { host, ':authority': authority } = exchange.request.headers
    const wanted = negotiateAggregatedDiscovery(acceptOf(exchange.request))
    const aggregated = wanted && source.aggregated(root, wanted.version)
    if (wanted !== undefined && aggregated !== undefined)
      return () => writeAggregated(exchange, wanted, aggregated)
    return plain(
      exchange,
      root === 'api' ? source.api(host ?? String(authority ?? '')) : source.apis(),
    )
  }
  if (root === 'api')
    return rest.length === 1
      ? plain(exchange, source.groupVersion({ group: '', version: first }))
      : undefined
  // The core group has no name, and is not served here.
  if (first === '') return undefined
  return groupAnswer(exchange, source, rest)
}

function groupAnswer(
  exchange: Exchange,
  source: DocumentSource,
  [group = '', version, ...more]: readonly string[],
): Answer | undefined {
  if (version === undefined) return plain(exchange, source.group(group))
  return more.length === 0 ? plain(exchange, source.groupVersion({ group, version })) : undefined
}

/** A legacy document in the form requested by Accept. */
function plain(exchange: Exchange, document: MaybeDocument): Answer | undefined {
  if (document === undefined) return undefined
  return async () => {
    const format = outputFormat(exchange, 'none')
    if (format.mediaType === jsonType && !format.pretty) {
      await writeBody(exchange, document.body, { code: 200, mediaType: document.contentType })
      return
    }
    if (format.mediaType === protobufType) {
      const body = await documentAsProtobuf(exchange, document.body)
      await writeBody(exchange, body, { code: 200, mediaType: protobufType })
      return
    }
    const value: unknown = JSON.parse(document.body.toString('utf8'))
    await writeValue(exchange, value, { code: 200, format })
  }
}

/**
 * Writes aggregated discovery; the protobuf form has the ETag of the JSON, like every form of a document. Source:
 * reference 6.2.
 */
async function writeAggregated(
  exchange: Exchange,
  { mediaType, contentType }: AggregatedDiscovery,
  document: Document,
): Promise<void> {
  if (mediaType !== protobufType) return writeCacheable(exchange, document)
  const body = await documentAsProtobuf(exchange, document.body)
  await writeCacheable(exchange, { ...document, body, contentType })
}
