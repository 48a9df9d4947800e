import type { ServerResponse } from 'node:http'
import { StatusError } from '../../../meta/status.ts'
import { internalError } from '../../../meta/statusErrors.ts'
import type { LoginExchange } from './loginExchange.ts'
import { errorPage, pageHeaders } from './loginPages.ts'
import type { PageLook } from './pageLook.ts'
import type { LoginTarget } from '../loginTarget.ts'

/** What is answered. */
export interface LoginAnswer {
  code: number
  headers?: Readonly<Record<string, string | readonly string[]>>
  /** A page, or a value that is sent as JSON. */
  page?: string
  json?: unknown
  /** For the audit log: who logged in, by what. No secrets. */
  noted?: Readonly<Record<string, string>>
}

/** What every answer has. Nothing about a login is kept by anybody, or told to another site. A stricter referrer policy
 *  would make browsers send the forms of these pages as if another site did. */
const alwaysHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
}

/** How a message is framed is not a matter of configuration. */
const ownHeaders =
  /^(content-(length|type|encoding)|transfer-encoding|connection|location|set-cookie|audit-id)$/i

/** Sets the headers that the configuration adds to every answer; they win over those that an answer has by default. */
export function setHeaders(
  response: ServerResponse,
  custom: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(custom)) {
    if (!ownHeaders.test(name)) response.setHeader(name, value)
  }
}

/** @param look of the pages; absent: the plain one. */
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
    // What a 304 leaves out has a length of its own.
    ...(code === 304 ? {} : { 'Content-Length': String(length) }),
    'Audit-Id': exchange.auditId,
  }
}

/** The error as a client may see it. */
export function knownError(error: unknown): StatusError {
  return error instanceof StatusError
    ? error
    : internalError('the login could not be finished', error)
}

/** An error as a program or a reader understands it. */
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
