import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv6 } from 'node:net'
import { posix } from 'node:path'
import type { Exchange, PlaceProxy } from '../endpoints/exchange.ts'
import { writeError } from '../endpoints/response/response.ts'
import { goUrlPath } from '../meta/goUrlPath.ts'
import { plainError, serviceUnavailable } from '../meta/statusErrors.ts'
import type { StatusError } from '../meta/status.ts'
import type { ProxyTarget } from '../registry/proxyPlace.ts'
import { connectionProblem, type Endpoint } from '../webhooks/connectionProblem.ts'
import { exchangeWith } from './exchangeWith.ts'
import { hasBody, placeHeaders } from './placeHeaders.ts'
import { isPage, pageBody } from './pageBody.ts'
import { rewrittenLocation, type RewrittenFor } from './rewrittenLocation.ts'
import { streamBack, type Changes } from './streamBack.ts'

/** Response headers that would let pages of other origins read from this server. */
const crossOrigin = {
  'access-control-allow-credentials': undefined,
  'access-control-allow-headers': undefined,
  'access-control-allow-methods': undefined,
  'access-control-allow-origin': undefined,
}

/**
 * Connections to pods, services and nodes, one for each request. Certificates are not verified,
 * since none are issued for pod addresses. Source: seen on kube-apiserver 1.37.2.
 */
export class PlaceConnections implements PlaceProxy {
  async pass(exchange: Exchange, target: ProxyTarget): Promise<void> {
    const { request, takeSocket } = exchange
    const upgrades = takeSocket !== undefined && request.headers.upgrade !== undefined
    const port = portOf(target)
    const prefix = prefixOf(exchange, target.path)
    const hosts = hostsOf(exchange, target)
    if (typeof port === 'string') throw unreachable(port, upgrades)
    const outgoing = open(exchange, target, { port, prefix, upgrades })
    const failed = (error: unknown) => {
      const endpoint = { host: target.address, port, serverName: target.host }
      const problem = unreachable(problemOf(error, endpoint), upgrades)
      writeError(exchange, problem, exchange.report)
    }
    await exchangeWith(outgoing, exchange, {
      answered: (answer) => {
        if (upgrades && (answer.statusCode ?? 0) < 400) refuseUpgrade(exchange, answer)
        else
          streamBack(
            exchange,
            answer,
            upgrades ? {} : changesOf(exchange, answer, { prefix, hosts }),
          )
      },
      ...{ failed, upgrades },
      hasBody: hasBody(request),
    })
  }
}

/**
 * Reason why there is no response. For a server without TLS, it is worded like Go's transport
 * rather than its HTTP client.
 */
function problemOf(error: unknown, endpoint: Endpoint): string {
  const { code } = error as { code?: string } // optional in all values thrown here
  return code === 'EPROTO'
    ? 'tls: first record does not look like a TLS handshake'
    : connectionProblem(error, endpoint)
}

/** The error for a server that cannot be reached. */
function unreachable(why: string, upgrades: boolean): StatusError {
  return upgrades ? plainError(why) : serviceUnavailable(`error trying to reach service: ${why}`)
}

function refuseUpgrade(exchange: Exchange, answer: IncomingMessage): void {
  answer.destroy()
  const why = `invalid upgrade response: status code ${answer.statusCode ?? 0}`
  writeError(exchange, plainError(why), exchange.report)
}

const namedPorts = new Map([
  ['http', 80],
  ['https', 443],
])

/** Port number, or a string with the reason why it is unknown. */
function portOf({ scheme, port }: ProxyTarget): number | string {
  if (!/^\d+$/.test(port)) {
    const found = namedPorts.get(port === '' ? scheme : port)
    return found ?? `dial tcp: lookup tcp/${port}: unknown port`
  }
  return Number(port) > 65_535 ? `dial tcp: address ${port}: invalid port` : Number(port)
}

/** Path of the subresource as seen by the client. */
function prefixOf({ request, info }: Exchange, path: string): string {
  const [asked = ''] = (request.url ?? '').split('?')
  const plane = asked.slice(0, Math.max(0, asked.indexOf('/api/')))
  const { path: whole } = info
  return plane + (whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : whole)
}

interface Opening {
  port: number
  prefix: string
  upgrades: boolean
}

function open(
  exchange: Exchange,
  { scheme, address, path }: ProxyTarget,
  { port, prefix, upgrades }: Opening,
): ClientRequest {
  const escaped = goUrlPath(path === '' ? '/' : path)
  const query = /\?.*$/s.exec(exchange.request.url ?? '')?.[0] ?? ''
  const headers = placeHeaders(exchange, { upgrades, forwarded: posix.normalize(prefix + escaped) })
  const request = scheme === 'https' ? httpsRequest : httpRequest
  return request({
    ...{ method: exchange.method, host: address, port, headers, agent: false },
    // The query of an upgrade is not passed on, as in the real server.
    path: upgrades ? escaped : escaped + query,
    ...(scheme === 'https' ? { rejectUnauthorized: false } : {}),
  })
}

/** Changes that make URLs in a response point to this server. */
function changesOf(exchange: Exchange, answer: IncomingMessage, rewritten: RewrittenFor): Changes {
  const { location, 'cache-control': cached } = answer.headers
  const headers = {
    ...crossOrigin,
    ...(cached === undefined ? {} : { 'cache-control': `no-cache, private, ${cached}` }),
  }
  const rewrite = (url: string) => rewrittenLocation(url, rewritten)
  if (location !== undefined) return { headers: { ...headers, location: rewrite(location) } }
  if (exchange.method === 'HEAD' || !isPage(answer)) return { headers }
  return {
    headers: { ...headers, 'content-length': undefined, 'content-encoding': undefined },
    body: pageBody(answer, rewrite),
  }
}

function hostsOf({ request }: Exchange, { host, port }: ProxyTarget): RewrittenFor['hosts'] {
  const { host: sent = '', ':authority': asked = sent } = request.headers
  const shown = isIPv6(host) ? `[${host}]` : host
  return { target: port === '' ? shown : `${shown}:${port}`, asked: String(asked) }
}
