import type { ServerResponse } from 'node:http'
import { StatusError } from '../../../meta/status.ts'
import { internalError } from '../../../meta/statusErrors.ts'
import type { LoginExchange } from './loginExchange.ts'
import { errorPage, pageHeaders } from './loginPages.ts'
import type { PageLook } from './pageLook.ts'
import type { LoginTarget } from '../loginTarget.ts'

export interface LoginAnswer {
  code: number
  headers?: Readonly<Record<string, string | readonly string[]>>
  /** A page, or a value sent as JSON. */
  page?: string
  json?: unknown
  /** Audit annotations: the user and the login method. No secrets. */
  noted?: Readonly<Record<string, string>>
}

/**
 * Headers of every response, so that logins are neither cached nor revealed to other sites. With a stricter referrer
 * policy browsers would send the forms of these pages as cross-site.
 */
const alwaysHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
}

/** Headers that cannot be configured, such as those for message framing. */
const ownHeaders =
  /^(content-(length|type|encoding)|transfer-encoding|connection|location|set-cookie|audit-id)$/i

/** Sets the configured headers of every response; they take precedence over defaults. */
export function setHeaders(
  response: ServerResponse,
  custom: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(custom)) {
    if (!ownHeaders.test(name)) response.setHeader(name, value)
  }
}

/** Writes a response. @param look of the pages; absent: the plain one. */
export function writeAnswer(
  exchange: LoginExchange,
  answer: LoginAnswer,
  look: PageLook = plainLook,
): void {
  const { response, request } = exchange
  if (response.writableEnded) return
  const isPage = answer.page !== undefined
  const defaults = { ...alwaysHeaders, ...(isPage ? look.headers : {}) }
  for (const [name, value] of Object.entries(defaults)) {
    if (!response.hasHeader(name)) response.setHeader(name, value)
  }
  const body = bodyOf(answer, look)
  const own = ownHeadersOf(exchange, answer, body)
  for (const [name, value] of Object.entries(own)) response.setHeader(name, value)
  response.writeHead(answer.code)
  response.end(request.method === 'HEAD' ? undefined : body)
}

const plainLook: PageLook = { headers: pageHeaders, dressed: (page) => page }

function bodyOf({ page, json }: LoginAnswer, look: PageLook): string {
  if (page !== undefined) return look.dressed(page)
  return json === undefined ? '' : `${JSON.stringify(json)}\n`
}

function ownHeadersOf(
  exchange: LoginExchange,
  { code, page, headers }: LoginAnswer,
  body: string,
): NonNullable<LoginAnswer['headers']> {
  const length = Buffer.byteLength(body)
  exchange.bodyBytes = length
  const type = page === undefined ? 'application/json' : 'text/html; charset=utf-8'
  return {
    ...(body === '' ? {} : { 'Content-Type': type }),
    ...headers,
    // The omitted body of a 304 has its own length.
    ...(code === 304 ? {} : { 'Content-Length': String(length) }),
    'Audit-Id': exchange.auditId,
  }
}

/** The error in the form for clients. */
export function knownError(error: unknown): StatusError {
  return error instanceof StatusError
    ? error
    : internalError('the login could not be finished', error)
}

/** An error as JSON or as a page. */
export function errorAnswer(
  error: StatusError,
  wantsPage: boolean,
  target?: LoginTarget,
): LoginAnswer {
  const retry = error.details?.retryAfterSeconds
  const headers = retry === undefined ? {} : { 'Retry-After': String(retry) }
  const close = error.code === 413 ? { Connection: 'close' } : {}
  const status = { code: error.code, headers: { ...headers, ...close } }
  return wantsPage
    ? { ...status, page: errorPage(error.message, target) }
    : { ...status, json: error.toStatus() }
}
