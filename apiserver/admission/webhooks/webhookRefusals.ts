import { goQuote } from '../../meta/goQuote.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { StatusError, type StatusReason } from '../../meta/status.ts'
import { internalError } from '../../meta/statusErrors.ts'

/** A webhook that could not be called, or whose response is invalid. */
export class WebhookCallError extends Error {}

export function callFailed(why: string, cause?: unknown): WebhookCallError {
  return new WebhookCallError(`failed to call webhook: ${why}`, { cause })
}

export function invalidResponse(why: string): WebhookCallError {
  return new WebhookCallError(`received invalid webhook response: ${why}`)
}

/** Refusal of a request because a webhook could not be called. */
export function callRefusal(webhook: string, error: WebhookCallError): StatusError {
  return internalError(`failed calling webhook ${goQuote(webhook)}: ${error.message}`, error)
}

/** Largest code of a response that HTTP can carry. */
const mostCode = 999

/**
 * Error for the client from a webhook's denial. The status is passed through, except for a code
 * that is not an error. Source: Kubernetes, "Dynamic Admission Control", "Response"; seen on
 * kube-apiserver.
 */
export function denial(webhook: string, status: unknown): StatusError {
  const given = isObject(status) ? status : {}
  const subject = `admission webhook ${goQuote(webhook)} denied the request`
  const message = textOf(given['message'])
  const reason = textOf(given['reason'])
  const told = message === '' ? reason : message
  const code = given['code']
  // Clients accept any reason, and details are passed through.
  return new StatusError(
    isErrorCode(code) ? code : 400,
    reason as StatusReason,
    told === '' ? `${subject} without explanation` : `${subject}: ${told}`,
    {
      ...(isObject(given['details']) ? { details: given['details'] } : {}),
      foreign: {
        metadata: given['metadata'] as object | undefined,
        status: wordOf(given['status']),
      },
    },
  )
}

function isErrorCode(code: unknown): code is number {
  return typeof code === 'number' && code >= 400 && code <= mostCode
}

/** Status of a refusal, which is never `Success`. */
function wordOf(status: unknown): string {
  return typeof status === 'string' && status !== '' && status !== 'Success' ? status : 'Failure'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
