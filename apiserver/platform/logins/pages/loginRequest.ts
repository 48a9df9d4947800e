import type { IncomingMessage } from 'node:http'
import { forbiddenPath } from '../../../meta/statusErrors.ts'
import type { LoginExchange } from './loginExchange.ts'
import { readFields } from './loginFields.ts'
import { hostOf, type ClientOrigin } from '../trustedProxies.ts'

/** A request to a login path. */
export interface LoginRequest {
  method: string
  path: string
  /** With a base that stands for this server alone: path and query are the client's. */
  url: URL
  headers: IncomingMessage['headers']
  /** Where it comes from. */
  address: string
  /** Where users reach the server, without a slash at its end. */
  publicUrl: string
  /** Whether a page of this origin may log in. */
  isOwnOrigin: (origin: string) => boolean
  /** A browser asks for a page, and not a program for JSON. */
  wantsPage: boolean
  /** The body: the fields of a form, or those of a JSON object that are texts. */
  fields: () => Promise<URLSearchParams>
}

export interface RequestSources {
  originOf: (request: IncomingMessage) => ClientOrigin
  publicUrl: (base: string | undefined) => string
  /** Whether a page of this origin may call; undefined: no origins are set. */
  allowsOrigin: ((origin: string) => boolean) | undefined
}

export function loginRequest(
  { request, path }: LoginExchange,
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
    wantsPage: (headers.accept ?? '').includes('text/html'),
    fields: () => readFields(request),
  }
}

function hostIn(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined
}

/** Refuses what a page of another site sends: a login is nothing that happens to a user. No page can write either header.
 *  @throws StatusError Forbidden. */
export function checkOrigin({ headers, isOwnOrigin }: LoginRequest): void {
  const { origin, 'sec-fetch-site': site } = headers
  // Under some referrer policies a browser keeps the origin of this server's own pages back.
  if (site === 'same-origin') return
  const isForeign = origin === undefined ? site === 'cross-site' : !isOwnOrigin(origin)
  if (isForeign) throw forbiddenPath('a login cannot be sent from another site')
}

/** The value of `Authorization: Bearer`, whose scheme is the same in small and capital letters. */
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
