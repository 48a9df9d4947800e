import { posix } from 'node:path'
import { badRequest, routeMethodNotAllowed, serviceUnavailable } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { Exchange } from '../exchange.ts'
import type { RequestInfo } from '../requestInfo.ts'
import { start } from '../response/response.ts'
import { admitAnswered } from '../write/answeredReview.ts'
import { answerRequest, type AnsweredTarget } from './handleRequest.ts'

/** Methods that are passed on. */
export const proxyMethods: ReadonlySet<string> = new Set([
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
])

/** Passes a request on to the server that the subresource names. Source: seen on kube-apiserver 1.37.2. */
export async function handleProxied(exchange: Exchange, target: AnsweredTarget): Promise<void> {
  const { info, query, plane } = exchange
  const { answers, resource } = target
  if (answers.proxy === undefined) throw routeMethodNotAllowed()
  if (query.has('dryRun')) throw badRequest('dryRun is not supported')
  const path = pathBehind(info)
  const options = { kind: resource.kind, apiVersion: resource.version, ...(path && { path }) }
  await admitAnswered(exchange, target, {
    ...{ operation: 'CONNECT', dryRun: false },
    // Options have no metadata.
    object: options as unknown as ApiObject,
  })
  const place = await answers.proxy(answerRequest(exchange, target))
  const isUpgrade = exchange.takeSocket !== undefined
  if (path === '' && !isUpgrade && ['GET', 'HEAD'].includes(exchange.method)) {
    return sendToRoot(exchange)
  }
  if (plane.proxy === undefined) {
    const why = 'this server reaches no pods, services and nodes'
    throw serviceUnavailable(`error trying to reach service: ${why}`)
  }
  await plane.proxy.pass(exchange, { ...place, path: path === '' ? '' : posix.normalize(path) })
}

/**
 * Path after the subresource: empty, or with a leading slash, and a trailing one if the request has
 * it.
 */
function pathBehind({ rest, path }: RequestInfo): string {
  const joined = rest.join('/')
  const behind = joined === '' || joined.startsWith('/') ? joined : `/${joined}`
  return path.endsWith('/') && !behind.endsWith('/') ? `${behind}/` : behind
}

/**
 * Redirects to the root of the other server, so that relative links on its pages lead to paths
 * below the subresource.
 */
function sendToRoot(exchange: Exchange): void {
  const [path = '', ...query] = (exchange.request.url ?? '').split('?')
  const behind = query.length === 0 ? '' : `?${query.join('?')}`
  const length = exchange.method === 'HEAD' ? {} : { 'Content-Length': 0 }
  start(exchange, 301, { Location: `${path}/${behind}`, ...length })
  exchange.response.end()
}
