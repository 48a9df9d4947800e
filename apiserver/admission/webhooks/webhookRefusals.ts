import { goQuote } from '../../meta/goQuote.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { StatusError, type StatusReason } from '../../meta/status.ts'
import { internalError } from '../../meta/statusErrors.ts'

/** A webhook could not be asked, or its response is none. */
export class WebhookCallError extends Error {}

export function callFailed(why: string, cause?: unknown): WebhookCallError {
  return new WebhookCallError(`failed to call webhook: ${why}`, { cause })
}

export function invalidResponse(why: string): WebhookCallError {
  return new WebhookCallError(`received invalid webhook response: ${why}`)
}

/** The refusal of a request whose webhook could not be asked. */
export function callRefusal(webhook: string, error: WebhookCallError): StatusError {
  return internalError(`failed calling webhook ${goQuote(webhook)}: ${error.message}`, error)
}

/** Error for the client from a webhook's denial. The status passes through, except a code that is no error.
 *  Source: Kubernetes, "Dynamic Admission Control", "Response"; seen on kube-apiserver. */
export function denial(webhook: string, status: unknown): StatusError {
  const given = isObject(status) ? status : {}
  const subject = `admission webhook ${goQuote(webhook)} denied the request`
  const message = textOf(given['message'])
  const reason = textOf(given['reason'])
  const told = message === '' ? reason : message
  const code = given['code']
  // Any word is a reason to clients, and details pass through.
  return new StatusError(
    typeof code === 'number' && code >= 400 ? code : 400,
    reason as StatusReason,
    told === '' ? `${subject} without explanation` : `${subject}: ${told}`,
    isObject(given['details']) ? { details: given['details'] } : {},
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Message for an unsuccessful HTTP status. */
export function httpProblem(code: number, body: string, isJson: boolean): string {
  const status = isJson ? statusMessage(body) : undefined
  if (status !== undefined) return status
  const known = words[code]
  if (known !== undefined) return known
  const text = body.trim()
  if (code >= 500) {
    return `an error on the server (${goQuote(text)}) has prevented the request from succeeding`
  }
  return code === 403 || code === 406 || code === 415
    ? text
    : `the server responded with the status code ${code} but did not return more information`
}

function statusMessage(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body)
    if (!isObject(value) || value['kind'] !== 'Status') return undefined
    return textOf(value['message'])
  } catch {
    return undefined
  }
}

const words: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  410: 'the server reported the resource has expired',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
}
