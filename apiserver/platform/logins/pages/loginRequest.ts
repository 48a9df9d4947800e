import type { IncomingMessage } from 'node:http'
import { forbiddenPath } from '../../../meta/statusErrors.ts'
import type { LoginExchange } from './loginExchange.ts'
import { readFields } from './loginFields.ts'
import { hostOf, type ClientOrigin } from '../trustedProxies.ts'

export interface LoginRequest {
  method: string
  path: string
  /** URL with a placeholder base: path and query are the client's. */
  url: URL
  headers: IncomingMessage['headers']
  /** Address of the client. */
  address: string
  /** The server's address for users, without a trailing slash. */
  publicUrl: string
  /** Reports whether pages of this origin may log in. */
  isOwnOrigin: (origin: string) => boolean
  /** True if the request has a valid credential. */
  isAuthenticated: boolean
  /** True if a browser requests a page rather than a program JSON. */
  wantsPage: boolean
  /** The body: the fields of a form, or the string members of a JSON object. */
  fields: () => Promise<URLSearchParams>
}

export interface RequestSources {
  originOf: (request: IncomingMessage) => ClientOrigin
  publicUrl: (base: string | undefined) => string
  /** Reports whether pages of this origin are allowed; undefined: no origins are configured. */
  allowsOrigin: ((origin: string) => boolean) | undefined
}

export function loginRequest(
  { request, path, user }: LoginExchange,
  { originOf, publicUrl, allowsOrigin }: RequestSources,
): LoginRequest {
  const { headers, method = 'GET', url = '/' } = request
  const { address, base } = originOf(request)
  const reached = publicUrl(base)
  const ownHosts = [hostOf(headers), hostIn(reached), hostIn(base)]
  return {
    method: method === 'HEAD' ? 'GET' : method,
    path,
    url: new URL(url.replace(/^\/+/, '/'), 'http://server'),
    headers,
    address,
    publicUrl: reached,
    isOwnOrigin: (origin) =>
      allowsOrigin?.(origin) === true ||
      (URL.canParse(origin) && ownHosts.includes(new URL(origin).host)),
    isAuthenticated: user.groups.includes('system:authenticated'),
    wantsPage: (headers.accept ?? '').includes('text/html'),
    fields: () => readFields(request),
  }
}

function hostIn(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined
}

/**
 * Refuses requests from pages of other sites, which must not log a user in. Pages cannot set either header.
 * @throws StatusError Forbidden.
 */
export function checkOrigin({ headers, isOwnOrigin }: LoginRequest): void {
  const { origin, 'sec-fetch-site': site } = headers
  // Under some referrer policies browsers omit the origin for this server's own pages.
  if (site === 'same-origin') return
  const isForeign = origin === undefined ? site === 'cross-site' : !isOwnOrigin(origin)
  if (isForeign) throw forbiddenPath('a login cannot be sent from another site')
}

/** The value of `Authorization: Bearer`; the scheme is case-insensitive. */
export function bearerOf({ headers }: LoginRequest): string | undefined {
  return /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

export function cookieOf(
  { headers }: Pick<LoginRequest, 'headers'>,
  name: string,
): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2)
    if (key === name) return value
  }
  return undefined
}
