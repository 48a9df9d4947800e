import type { ServerResponse } from 'node:http'
import { StatusError } from '../meta/status.ts'
import { internalError } from '../meta/statusErrors.ts'
import { errorPage, pageHeaders } from './loginPages.ts'

/** What is answered. */
export interface LoginAnswer {
  code: number
  headers?: Readonly<Record<string, string | readonly string[]>>
  /** A page, or a value that is sent as JSON. */
  page?: string
  json?: unknown
}

/** What every answer has. Nothing about a login is kept by anybody, or told to another site. */
const alwaysHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

/** How a message is framed is not a matter of configuration. */
const ownHeaders =
  /^(content-(length|type|encoding)|transfer-encoding|connection|location|set-cookie)$/i

export function writeAnswer(
  response: ServerResponse,
  { code, headers = {}, page, json }: LoginAnswer,
  { custom, isHead }: { custom: Readonly<Record<string, string>>; isHead: boolean },
): void {
  const body = page ?? (json === undefined ? '' : `${JSON.stringify(json)}\n`)
  const type = page === undefined ? 'application/json' : 'text/html; charset=utf-8'
  const all = new Map<string, [string, string | readonly string[]]>()
  const set = (given: Readonly<Record<string, string | readonly string[]>>) => {
    for (const [name, value] of Object.entries(given)) all.set(name.toLowerCase(), [name, value])
  }
  set(alwaysHeaders)
  if (page !== undefined) set(pageHeaders)
  set(Object.fromEntries(Object.entries(custom).filter(([name]) => !ownHeaders.test(name))))
  set({ ...(body === '' ? {} : { 'Content-Type': type }), ...headers })
  set({ 'Content-Length': String(Buffer.byteLength(body)) })
  for (const [name, value] of all.values()) response.setHeader(name, value)
  response.writeHead(code)
  response.end(isHead ? undefined : body)
}

/** An error as a program or a reader understands it. */
export function errorAnswer(error: unknown, wantsPage: boolean): LoginAnswer {
  const known =
    error instanceof StatusError ? error : internalError('the login could not be finished', error)
  const retry = known.details?.retryAfterSeconds
  const headers = retry === undefined ? {} : { 'Retry-After': String(retry) }
  const close = known.code === 413 ? { Connection: 'close' } : {}
  const status = { code: known.code, headers: { ...headers, ...close } }
  return wantsPage
    ? { ...status, page: errorPage(known.message) }
    : { ...status, json: known.toStatus() }
}
