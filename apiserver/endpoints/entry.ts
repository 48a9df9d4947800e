import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock, Random } from '../meta/clock.ts'
import { CallbackError, enterCallback, guarded } from '../meta/waiting/guarded.ts'
import { StatusError } from '../meta/status.ts'
import { plainError } from '../meta/statusErrors.ts'
import type { UserInfo } from '../meta/types.ts'
import { parseBool, parseQuery } from '../encoding/queryValues.ts'
import type { Exchange, OpenWebSocket, Plane, TakeSocket } from './exchange.ts'
import type { ChainServices } from './chainServices.ts'
import { serveExchange } from './filterChain.ts'
import { RequestError } from './response/requestError.ts'
import { requestInfo, type RequestInfo } from './requestInfo.ts'
import { writeError } from './response/response.ts'

/** The user of requests without a credential. */
export const anonymousUser: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
}

export interface EntryOptions extends ChainServices {
  clock: Clock
  random: Random
  /** The control plane of a path, and the path below its prefix. */
  planeFor: (path: string, request: IncomingMessage) => { plane: Plane; path: string }
  /** Called with each exchange when it begins. */
  observe: (exchange: Exchange) => void
}

/** Protocols that a request offers to upgrade to; empty: none. */
interface Upgrade {
  openWebSocket?: OpenWebSocket | undefined
  takeSocket?: TakeSocket | undefined
}

/** Creates the exchange of a request and runs it through the filter chain. Never rejects. */
export async function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: EntryOptions,
  upgrade: Upgrade = noUpgrade,
): Promise<void> {
  try {
    const exchange = newExchange(request, response, options)
    exchange.openWebSocket = upgrade.openWebSocket
    exchange.takeSocket = upgrade.takeSocket
    if (!readInfo(exchange)) return
    options.observe(exchange)
    await serveExchange(exchange, options)
  } catch (error) {
    options.report(new RequestError(`${request.method ?? 'GET'} a path`, error))
    response.destroy()
  }
}

const noUpgrade: Upgrade = {}

/** Sets `exchange.info`; false: the request was refused. */
function readInfo(exchange: Exchange): boolean {
  try {
    exchange.info = infoOf(exchange)
    return true
  } catch (error) {
    writeError(exchange, error, exchange.report)
    return false
  }
}

function newExchange(
  request: IncomingMessage,
  response: ServerResponse,
  options: EntryOptions,
): Exchange {
  const { clock, random } = options
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  const { plane, path } = options.planeFor(
    decodedPath(mark < 0 ? url : url.slice(0, mark)),
    request,
  )
  const auditId = request.headers['audit-id']
  return {
    request,
    response,
    method: request.method ?? 'GET',
    plane,
    path,
    query: mark < 0 ? noQuery : parseQuery(url.slice(mark + 1)),
    info: noInfo,
    auditId: typeof auditId === 'string' && auditId !== '' ? auditId : random.uuid(),
    startedMs: clock.now(),
    user: anonymousUser,
    warnings: new Set(),
    shows: undefined,
    view: undefined,
    resource: undefined,
    bodyKind: undefined,
    bodyBytes: undefined,
    objectFormat: undefined,
    gaveUp: undefined,
    filtersMs: undefined,
    sentBody: undefined,
    audit: undefined,
    protobuf: options.protobuf,
    unread: options.limits.unread,
    fairness: options.limits.fairness,
    turnEnd: options.limits.turnEnd,
    openWebSocket: undefined,
    takeSocket: undefined,
    onRevoked: () => undefined,
    isSameUser: () => true,
    report: options.report,
    onFinish: finisher(response, (error) =>
      options.report(new RequestError(`${request.method ?? 'GET'} ${path}`, error)),
    ),
  }
}

/** Runs callbacks when the response closes, with a single listener. */
function finisher(
  response: ServerResponse,
  failed: (error: unknown) => void,
): Exchange['onFinish'] {
  let callbacks: readonly (() => void)[] = []
  let isClosed = false
  const finish = () => {
    if (isClosed) return
    isClosed = true
    for (const callback of callbacks) {
      try {
        enterCallback('entry.finish')
        callback()
      } catch (error) {
        failed(new CallbackError('entry.finish', error))
      }
    }
  }
  response.on('close', guarded('entry.closed', failed, finish))
  return (callback) => {
    // The client may disconnect before the chain is complete.
    if (isClosed) callback()
    // Allocates exactly the needed length, since a watch keeps the list for a long time.
    else callbacks = callbacks.concat(callback)
  }
}

function decodedPath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    // Malformed percent-encoding is taken literally: such a name does not exist.
    return path
  }
}

// Shared by requests without a query: the query of an exchange is never modified.
const noQuery = new URLSearchParams()
const noInfo: RequestInfo = requestInfo('GET', '/', () => false)

function infoOf({ method, path, query }: Exchange): RequestInfo {
  try {
    return requestInfo(
      method,
      path,
      () => query.has('watch') && parseBool(query.get('watch') ?? ''),
    )
  } catch (error) {
    if (error instanceof StatusError) throw error
    throw plainError(`unable to read the request: ${String(error)}`, error)
  }
}
