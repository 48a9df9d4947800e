import type { ServerResponse } from 'node:http'
import { StatusError } from '../meta/status.ts'
import { internalError } from '../meta/statusErrors.ts'
import type { LoginExchange } from './loginExchange.ts'
import { errorPage, pageHeaders } from './loginPages.ts'
import type { LoginTarget } from './loginTarget.ts'

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

export function writeAnswer(exchange: LoginExchange, answer: LoginAnswer): void {
  const { response, request, auditId } = exchange
  if (response.writableEnded) return
  const { code, headers = {}, page, json } = answer
  const body = page ?? (json === undefined ? '' : `${JSON.stringify(json)}\n`)
  const type = page === undefined ? 'application/json' : 'text/html; charset=utf-8'
  const defaults = { ...alwaysHeaders, ...(page === undefined ? {} : pageHeaders) }
  for (const [name, value] of Object.entries(defaults)) {
    if (!response.hasHeader(name)) response.setHeader(name, value)
  }
  const length = Buffer.byteLength(body)
  exchange.bodyBytes = length
  const own = {
    ...(body === '' ? {} : { 'Content-Type': type }),
    ...headers,
    'Content-Length': String(length),
    'Audit-Id': auditId,
  }
  for (const [name, value] of Object.entries(own)) response.setHeader(name, value)
  response.writeHead(code)
  response.end(request.method === 'HEAD' ? undefined : body)
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
