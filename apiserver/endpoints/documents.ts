import { jsonType, protobufType } from '../encoding/mediaTypes.ts'
import {
  negotiateAggregatedDiscovery,
  type AggregatedDiscovery,
} from '../encoding/negotiateDiscovery.ts'
import { routeMethodNotAllowed } from '../meta/statusErrors.ts'
import { writeCacheable, type Document } from './cacheableDocument.ts'
import type { Exchange } from './exchange.ts'
import { openapiAnswer, type OpenApiSource } from './openapiAnswer.ts'
import { outputFormat } from './outputFormat.ts'
import { documentAsProtobuf } from './protobufForm.ts'
import { writeBody, writeValue } from './response.ts'

type MaybeDocument = Document | undefined

/** The documents that describe a plane's API; undefined stands for 404. */
export interface DocumentSource extends OpenApiSource {
  api(serverAddress: string): MaybeDocument
  apis(): MaybeDocument
  group(name: string): MaybeDocument
  groupVersion(groupVersion: { group: string; version: string }): MaybeDocument
  aggregated(root: 'api' | 'apis', version: 'v2' | 'v2beta1'): MaybeDocument
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
  const isRead = exchange.method === 'GET' || exchange.method === 'HEAD'
  if (!isRead && path !== anyMethod) throw routeMethodNotAllowed()
  await answer()
  return true
}

/** Whatever it is asked with. Source: the real server's answers. */
const anyMethod = '/openapi/v2'

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
    if (format.mediaType === protobufType) {
      const body = await documentAsProtobuf(exchange, document.body)
      await writeBody(exchange, body, { code: 200, mediaType: protobufType })
      return
    }
    const value: unknown = JSON.parse(document.body.toString('utf8'))
    await writeValue(exchange, value, { code: 200, format })
  }
}

/** In protobuf it has the ETag of the JSON, as every form of a document has. Source: reference 6.2. */
async function writeAggregated(
  exchange: Exchange,
  { mediaType, contentType }: AggregatedDiscovery,
  document: Document,
): Promise<void> {
  if (mediaType !== protobufType) return writeCacheable(exchange, document)
  const body = await documentAsProtobuf(exchange, document.body)
  await writeCacheable(exchange, { ...document, body, contentType })
}
