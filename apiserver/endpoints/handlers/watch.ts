import { badRequest } from '../../meta/statusErrors.ts'
import { jsonType, protobufType } from '../../encoding/mediaTypes.ts'
import { readResourceVersion } from '../../meta/resourceVersion.ts'
import { selectorsFor } from '../../registry/read/listOptions.ts'
import { watchObjects } from '../../registry/read/watchObjects.ts'
import type { Exchange } from '../exchange.ts'
import { frameEncoder } from '../response/frameEncoders.ts'
import { protobufEncoder } from '../response/protobufFrames.ts'
import { listQuery } from '../listQuery.ts'
import { longWorkTurn } from '../longWorkTurn.ts'
import { outputFormat } from '../response/outputFormat.ts'
import { holdFrames } from '../response/holdResponse.ts'
import { RequestError } from '../response/requestError.ts'
import { start } from '../response/response.ts'
import type { Target } from '../target.ts'
import { ChunkedSink } from '../../watch/chunkedSink.ts'
import type { Watcher } from '../../watch/watcher.ts'

const minTimeoutSeconds = 1_800

/**
 * Handles a watch: a stream of events, as a chunked body or over a websocket. Resolves when the stream ends.
 * Source: reference 5.
 */
export async function handleWatch(exchange: Exchange, { resource, store }: Target): Promise<void> {
  const format = outputFormat(exchange, 'table-and-metadata', true)
  const options = listQuery(withName(exchange))
  // Errors of selectors precede errors of the revision; after the handshake nothing can be refused.
  selectorsFor(options, resource)
  const revision =
    options.resourceVersion === '' ? undefined : readResourceVersion(options.resourceVersion)
  const { clock, random } = store.options
  // 0 is the same as absent, since clients without a timeout send it.
  const timeoutSeconds =
    options.timeoutSeconds || Math.floor(minTimeoutSeconds * (1 + random.fraction()))
  const includeObject = exchange.query.get('includeObject') ?? ''
  const isProtobuf = format.mediaType === protobufType
  const encoder = isProtobuf
    ? await protobufEncoder(exchange, resource, format)
    : frameEncoder({ resource, format, includeObject, now: () => clock.now() })
  const webSocket = await exchange.openWebSocket?.(isProtobuf ? 'lengths' : 'lines')
  const openSink = () => {
    exchange.audit?.streamStarted(webSocket === undefined ? 200 : 101)
    // A concatenated string would keep its parts alive as long as the headers.
    exchange.auditId = Buffer.from(exchange.auditId).toString()
    if (webSocket !== undefined) return webSocket
    start(exchange, 200, { 'Content-Type': isProtobuf ? `${protobufType};stream=watch` : jsonType })
    return new ChunkedSink(exchange.response)
  }
  const watcher = {
    allowBookmarks: options.allowWatchBookmarks,
    timeoutMs: timeoutSeconds * 1000,
    hold: holdFrames(exchange),
    report: reportFor(exchange),
    isCurrent: exchange.view && exchange.isSameUser,
  }
  const { info, shows, view } = exchange
  const { namespace } = info
  const nextTurn = () => longWorkTurn(exchange)
  const request = { namespace, options, revision, encoder, watcher, shows, nextTurn, view }
  const running = await watchObjects(store, request, openSink)
  if (running !== undefined) keepWhileRunning(exchange, running)
}

/** Adds the watch to logged errors. */
function reportFor({ report, path, user }: Exchange): (error: unknown) => void {
  const { name } = user
  return (error) => report(new RequestError(`the watch of ${path} by ${name}`, error))
}

/** Releases the parts of a request while its watch runs, since thousands of watches run for a long time. */
function keepWhileRunning({ request, audit, onRevoked, view }: Exchange, running: Watcher): void {
  const isInPart = view !== undefined
  onRevoked(() => (isInPart ? running.expire() : running.end()))
  // In HTTP/2, nothing keeps the request alive.
  if (audit !== undefined || request.httpVersionMajor === 2) return
  request.rawHeaders = []
  request.headers = {}
}

/** Selects one object for the deprecated path `/watch/…/<name>`. Source: reference 5.1. */
function withName(exchange: Exchange): Exchange {
  const { info, query } = exchange
  if (info.name === '') return exchange
  const wanted = `metadata.name=${info.name}`
  const given = query.get('fieldSelector') ?? ''
  if (given !== '' && given !== wanted)
    throw badRequest("fieldSelector metadata.name doesn't match requested name")
  const named = new URLSearchParams(query)
  named.set('fieldSelector', wanted)
  return { ...exchange, query: named }
}
