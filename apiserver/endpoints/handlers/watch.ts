import { badRequest } from '../../meta/statusErrors.ts'
import { jsonType, protobufType } from '../../encoding/mediaTypes.ts'
import { readResourceVersion } from '../../meta/resourceVersion.ts'
import { selectorsFor } from '../../registry/read/listOptions.ts'
import { watchObjects } from '../../registry/read/watchObjects.ts'
import type { Exchange } from '../exchange.ts'
import { frameEncoder } from '../response/frameEncoders.ts'
import { protobufEncoder } from '../response/protobufFrames.ts'
import { listQuery } from '../listQuery.ts'
import { outputFormat } from '../response/outputFormat.ts'
import { isNeverTurnedAway } from '../exemptRequest.ts'
import { RequestError } from '../response/requestError.ts'
import { start } from '../response/response.ts'
import type { Target } from '../target.ts'
import { ChunkedSink } from '../../watch/chunkedSink.ts'
import type { HoldUnread, Watcher } from '../../watch/watcher.ts'

const minTimeoutSeconds = 1_800

/** A stream of events, as a chunked body or over a websocket. Resolves when the stream is over.
 *  Source: reference 5. */
export async function handleWatch(exchange: Exchange, { resource, store }: Target): Promise<void> {
  const format = outputFormat(exchange, 'table-and-metadata', true)
  const options = listQuery(withName(exchange))
  // What cannot be selected by is told before what is no revision; past the handshake nothing can be refused.
  selectorsFor(options, resource)
  const revision =
    options.resourceVersion === '' ? undefined : readResourceVersion(options.resourceVersion)
  const { clock, random } = store.options
  // 0 is the same as nothing, as clients send it that ask for no end of their own.
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
    // What is put together piece by piece is kept as pieces, for as long as the headers are.
    exchange.auditId = Buffer.from(exchange.auditId).toString()
    if (webSocket !== undefined) return webSocket
    start(exchange, 200, { 'Content-Type': isProtobuf ? `${protobufType};stream=watch` : jsonType })
    return new ChunkedSink(exchange.response)
  }
  const watcher = {
    allowBookmarks: options.allowWatchBookmarks,
    timeoutMs: timeoutSeconds * 1000,
    hold: holdFor(exchange),
    report: reportFor(exchange),
    isCurrent: exchange.view && exchange.isSameUser,
  }
  const { info, shows, view } = exchange
  const { namespace } = info
  const request = { namespace, options, revision, encoder, watcher, shows, view }
  const running = await watchObjects(store, request, openSink)
  if (running !== undefined) keepWhileRunning(exchange, running)
}

function holdFor(exchange: Exchange): HoldUnread {
  const { unread, user } = exchange
  const { name } = user
  const always = isNeverTurnedAway(exchange)
  return (frames, more) => unread.hold(name, [frames], { more, always })
}

/** Names the watch in what is logged of it. */
function reportFor({ report, path, user }: Exchange): (error: unknown) => void {
  const { name } = user
  return (error) => report(new RequestError(`the watch of ${path} by ${name}`, error))
}

/** A watch runs for long, and there are thousands: what its request was made of is let go. */
function keepWhileRunning({ request, audit, onRevoked, view }: Exchange, running: Watcher): void {
  const isInPart = view !== undefined
  onRevoked(() => (isInPart ? running.expire() : running.end()))
  // HTTP/2 has nothing that keeps the request.
  if (audit !== undefined || request.httpVersionMajor === 2) return
  request.rawHeaders = []
  request.headers = {}
}

/** The deprecated path `/watch/…/<name>` selects one object. Source: reference 5.1. */
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
