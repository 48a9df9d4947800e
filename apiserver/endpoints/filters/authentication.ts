import { unauthorized } from '../../meta/statusErrors.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { Authenticator, ChainServices } from '../chainServices.ts'
import type { Exchange } from '../exchange.ts'
import { foreignOrigin, isForeignOrigin } from '../foreignOrigin.ts'

/** Paths available without a token: probes, and the version unless it is protected. Source: reference 7.7. */
const probe = /^\/(healthz|livez|readyz)$/
const version = /^\/version\/?$/
/** Public keys, requested by verifiers of this server's tokens. */
const publicKeys = /^\/(\.well-known\/openid-configuration|openid\/v1\/jwks)$/

/** Sets `exchange.user`, or refuses with 401. Source: reference 7.1, 7.2. */
export function authenticate(exchange: Exchange, services: ChainServices): void | Promise<void> {
  const { request, plane } = exchange
  const authenticator = plane.authenticator ?? services.authenticator
  const isForeign = isForeignSocket(exchange, services)
  const peer = authenticator.authenticatePeer?.(request, isForeign)
  services.clearRemoteHeaders?.(request)
  // The subprotocol is always removed, so that a secret is never echoed.
  const fromSocket = webSocketToken(exchange)
  const token = bearerToken(exchange) ?? fromSocket
  const admitted = (user: UserInfo | undefined) => admit(exchange, services, authenticator, user)
  if (typeof peer === 'object') return admitted(peer)
  if (token === undefined) {
    if (isForeign) throw foreignOrigin(request.headers.origin ?? '')
    if (peer === 'refused') throw unauthorized()
    return admitWithoutToken(exchange, services, authenticator)
  }
  const found = authenticator.authenticate(token)
  if (found instanceof Promise) return found.then(admitted)
  admitted(found)
}

function admitWithoutToken(
  exchange: Exchange,
  services: ChainServices,
  authenticator: Authenticator,
): void {
  // Open paths also have a user if the connection authenticates one: a plane may admit users only.
  const found = authenticator.authenticateConnection?.(exchange.request)
  if (found !== undefined) return admit(exchange, services, authenticator, found)
  if (!isOpen(exchange.path, services.authenticatesVersion)) throw unauthorized()
}

/**
 * Reports whether a page of another host opens a websocket. Browsers allow that to every page, and send the client
 * certificate of their user: only a token proves that the page itself has access.
 */
function isForeignSocket(
  { openWebSocket, request: { headers } }: Exchange,
  { allowsOrigin }: ChainServices,
): boolean {
  const { origin } = headers
  if (openWebSocket === undefined || origin === undefined) return false
  return isForeignOrigin(headers) && allowsOrigin?.(origin) !== true
}

function isOpen(path: string, authenticatesVersion: () => boolean): boolean {
  if (version.test(path)) return !authenticatesVersion()
  return probe.test(path) || publicKeys.test(path)
}

function admit(
  exchange: Exchange,
  { keyWarning }: ChainServices,
  authenticator: Authenticator,
  user: UserInfo | undefined,
): void {
  if (user === undefined) throw unauthorized(authenticator.refusal)
  exchange.user = user
  const warning = keyWarning?.(user)
  if (warning !== undefined) exchange.warnings.add(warning)
  exchange.onRevoked = (callback) => {
    const takeBack = authenticator.onRevoked?.(user, callback)
    if (takeBack !== undefined) exchange.onFinish(takeBack)
  }
  exchange.isSameUser = () => authenticator.isSame?.(user) ?? true
}

function bearerToken(exchange: Exchange): string | undefined {
  const header = exchange.request.headers.authorization?.trim() ?? ''
  const [scheme = '', token = ''] = header.split(' ', 3)
  if (scheme.toLowerCase() !== 'bearer') return undefined
  if (token !== '') return token
  if (header.length > scheme.length) {
    exchange.warnings.add(
      'the provided Authorization header contains extra space before the bearer token, and is ignored',
    )
  }
  return undefined
}

const tokenProtocol = 'base64url.bearer.authorization.k8s.io.'

/**
 * The token in a websocket's subprotocols, since browsers cannot set headers on a websocket. It is removed so that it
 * is never echoed. Source: reference 7.3.
 */
function webSocketToken(exchange: Exchange): string | undefined {
  if (exchange.openWebSocket === undefined) return undefined
  const { headers } = exchange.request
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  const tokens = offered.filter((name) => name.startsWith(tokenProtocol))
  const rest = offered.filter((name) => name !== '' && !name.startsWith(tokenProtocol))
  const [only] = tokens
  if (only === undefined) return undefined
  if (tokens.length > 1 || rest.length === 0) throw unauthorized()
  headers['sec-websocket-protocol'] = rest.join(', ')
  const encoded = only.slice(tokenProtocol.length)
  const token = Buffer.from(encoded, 'base64url')
  if (token.toString('base64url') !== encoded) throw unauthorized()
  return token.toString('utf8')
}
