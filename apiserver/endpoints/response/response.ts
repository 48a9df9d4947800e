import type { OutputFormat } from '../../encoding/outputFormat.ts'
import { prettyJson } from '../../encoding/pretty.ts'
import { acceptsGzip, gzipBody, gzipThreshold } from '../../encoding/gzip.ts'
import { protobufType, yamlType } from '../../encoding/mediaTypes.ts'
import { encodeYaml } from '../../encoding/yaml.ts'
import { jsonText } from '../../meta/json/exactJson.ts'
import { messageOf } from '../../meta/messageOf.ts'
import { isCallbackError } from '../../meta/waiting/guarded.ts'
import { isStatus, StatusError, type Status } from '../../meta/status.ts'
import { plainError } from '../../meta/statusErrors.ts'
import type { Exchange } from '../exchange.ts'
import { holdAnswer } from './holdResponse.ts'
import { RequestError } from './requestError.ts'
import { sendParts } from './sendParts.ts'
import { withoutSecrets } from '../audit/secretWords.ts'
import { protobufBody } from './protobufForm.ts'
import { errorFormat } from './outputFormat.ts'
import { warningHeaders } from './warningHeaders.ts'

type Headers = Record<string, string | number | string[]>

/** Writes an error to the client; the only place that does so. `report` is called with server-side errors. */
export function writeError(
  exchange: Exchange,
  error: unknown,
  report: (error: unknown) => void,
): void {
  const { response } = exchange
  // The deadline passed first: the client has its response.
  if (response.writableEnded) return
  const statusError = error instanceof StatusError ? error : unexpected(error)
  if (statusError.code >= 500 && !(error instanceof StatusError)) {
    exchange.audit?.panicked()
    report(new RequestError(`${exchange.method} ${exchange.path}`, error))
  }
  if (response.headersSent) {
    response.destroy()
    return
  }
  const retry = statusError.details?.retryAfterSeconds ?? 0
  const extra: Headers = retry > 0 ? { 'Retry-After': String(retry) } : {}
  if (statusError.code === 413 && isStillSent(exchange.request)) extra['Connection'] = 'close'
  const answer = { code: statusError.code, format: errorFormat(exchange), extra }
  const status = withoutSecrets(statusError.toStatus(), exchange)
  writeValue(exchange, status, answer).catch(() => response.destroy())
}

/** Reports whether the client is still sending a body that is not needed. In HTTP/2 only the stream ends. */
function isStillSent({ httpVersionMajor, complete }: Exchange['request']): boolean {
  return httpVersionMajor === 1 && !complete
}

const panics = [TypeError, RangeError, ReferenceError]

/**
 * An error that the API does not classify; an error of the runtime is a bug, and its message is
 * only logged. Source: reference 1.6, 2.1.
 */
function unexpected(cause: unknown): StatusError {
  const isPanic = isCallbackError(cause) || panics.some((kind) => cause instanceof kind)
  if (!isPanic) return plainError(messageOf(cause), cause)
  const message = 'an error on the server ("") has prevented the request from succeeding'
  return new StatusError(500, 'InternalError', message, { details: {}, cause })
}

export interface ValueAnswer {
  code: number
  format: OutputFormat
  extra?: Headers
}

/** Writes a value in the negotiated format. */
export async function writeValue(
  exchange: Exchange,
  value: unknown,
  answer: ValueAnswer,
): Promise<void> {
  const { mediaType, pretty } = answer.format
  if (mediaType === protobufType) {
    const body = await protobufBody(exchange, value)
    noteAnswer(exchange, value, body.length)
    await writeBody(exchange, body, { ...answer, mediaType })
    return
  }
  const text = mediaType === yamlType ? encodeYaml(value) : toJson(value, pretty)
  noteAnswer(exchange, value, text.length)
  await writeBody(exchange, Buffer.from(text), { ...answer, mediaType })
}

function noteAnswer({ audit }: Exchange, value: unknown, bytes: number): void {
  if (audit === undefined) return
  if (isStatus(value)) audit.responseStatus(value)
  else audit.responseObject(() => value, bytes)
}

function toJson(value: unknown, pretty: boolean): string {
  return pretty ? prettyJson(value) : `${jsonText(value)}\n`
}

export interface BodyAnswer {
  code: number
  mediaType: string
  extra?: Headers
}

/** Writes a body, compressed if the client supports it and it is large enough. */
export async function writeBody(
  exchange: Exchange,
  body: Buffer,
  answer: BodyAnswer,
): Promise<void> {
  const isLarge =
    body.length > gzipThreshold && acceptsGzip(exchange.request.headers['accept-encoding'])
  const sent = isLarge ? await gzipBody(body) : body
  const headers: Headers = {
    'Content-Type': answer.mediaType,
    'Content-Length': sent.length,
    ...(isLarge ? { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' } : {}),
    ...answer.extra,
  }
  const { response } = exchange
  if (sent.length <= joinedBytes) await exchange.turnEnd.wait()
  // The deadline may have passed first.
  if (response.headersSent) return
  if (sent.length > joinedBytes) holdAnswer(exchange, [sent])
  start(exchange, answer.code, headers)
  if (exchange.method === 'HEAD') response.end()
  else if (sent.length > joinedBytes) sendParts(response, [sent])
  // A string is sent in one write with the headers; Latin-1 keeps every byte.
  else response.end(sent.toString('latin1'), 'latin1')
}

/**
 * Maximum size of bodies that are copied after the headers; for larger bodies a second buffer is
 * cheaper.
 */
const joinedBytes = 16 * 1024

/** Writes plain text, for responses that do not come from the API machinery. */
export function writeText(
  exchange: Exchange,
  code: number,
  text: string,
  extra: Headers = {},
): void {
  writeBareText(exchange, code, text, { 'X-Content-Type-Options': 'nosniff', ...extra })
}

/** Writes plain text without a content type, which clients determine themselves. */
export function writeBareText(
  exchange: Exchange,
  code: number,
  text: string,
  extra: Headers = {},
): void {
  start(exchange, code, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...extra,
  })
  exchange.response.end(exchange.method === 'HEAD' ? undefined : text)
}

/** Writes an empty response: 204. */
export function writeNothing(exchange: Exchange): void {
  start(exchange, 204, {})
  exchange.response.end()
}

/** Writes the status line and headers, including headers common to all responses. */
export function start(exchange: Exchange, code: number, headers: Headers): void {
  const { response, warnings, auditId } = exchange
  if (warnings.size > 0) headers['Warning'] = warningHeaders(warnings)
  headers['Audit-Id'] = auditId
  headers['Cache-Control'] ??= 'no-cache, private'
  const length = headers['Content-Length']
  if (typeof length === 'number') exchange.bodyBytes = length
  response.writeHead(code, headers)
}

/** The body of a delete that left no object. Source: reference 3.5. */
export function successStatus(details: NonNullable<Status['details']>): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
}
