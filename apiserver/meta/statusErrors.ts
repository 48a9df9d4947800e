import { aggregateMessage, toldErrors, type FieldError } from './fieldErrors.ts'
import { goQuote } from './goQuote.ts'
import { StatusError, type StatusDetails } from './status.ts'
import { qualified, type GroupResource } from './types.ts'

/** Errors for clients, in the words of the API. Code, reason, message and details follow the table of reference 2.2. */

function resourceDetails({ group, resource }: GroupResource, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: resource,
  }
}

export function badRequest(message: string, cause?: unknown): StatusError {
  return new StatusError(400, 'BadRequest', message, { cause })
}

export function unauthorized(message = 'Unauthorized'): StatusError {
  return new StatusError(401, 'Unauthorized', message)
}

export function forbidden(resource: GroupResource, name: string, why: string): StatusError {
  const subject = qualified(resource.resource, resource.group)
  const named = name === '' ? subject : `${subject} ${goQuote(name)}`
  return new StatusError(403, 'Forbidden', `${named} is forbidden: ${why}`, {
    details: resourceDetails(resource, name),
  })
}

/** The error for a path outside the API that the user may not access. */
export function forbiddenPath(why: string): StatusError {
  return new StatusError(403, 'Forbidden', `forbidden: ${why}`, { details: {} })
}

export function notFound(resource: GroupResource, name: string): StatusError {
  const message = `${qualified(resource.resource, resource.group)} ${goQuote(name)} not found`
  return new StatusError(404, 'NotFound', message, { details: resourceDetails(resource, name) })
}

/** The error for a path without a route. */
export function routeNotFound(): StatusError {
  const message = 'the server could not find the requested resource'
  return new StatusError(404, 'NotFound', message, { details: {} })
}

/** The error for a known path with an unsupported method. */
export function routeMethodNotAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource'
  return new StatusError(405, 'MethodNotAllowed', message, { details: {} })
}

/** The error for a verb that the resource's storage does not support. */
export function methodNotSupported({ group, resource }: GroupResource, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind ${goQuote(qualified(resource, group))}`
  return new StatusError(405, 'MethodNotAllowed', message, {
    details: { ...(group === '' ? {} : { group }), kind: resource },
  })
}

/** The error for a patch of a type that no route accepts. */
export function routeUnsupportedMediaType(): StatusError {
  return new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {
    details: {},
  })
}

/** The error for an Accept header that no representation of a route satisfies. */
export function routeNotAcceptable(produced: readonly string[]): StatusError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${produced.join(', ')}`
  return new StatusError(406, 'NotAcceptable', message, { details: {} })
}

export function notAcceptable(accepted: readonly string[]): StatusError {
  const message = `only the following media types are accepted: ${accepted.join(', ')}`
  return new StatusError(406, 'NotAcceptable', message)
}

export function alreadyExists(resource: GroupResource, name: string, prefix = ''): StatusError {
  const message = `${prefix}${qualified(resource.resource, resource.group)} ${goQuote(name)} already exists`
  return new StatusError(409, 'AlreadyExists', message, {
    details: resourceDetails(resource, name),
  })
}

/** The error if no free name was found for a generateName. */
export function generateNameConflict(
  resource: GroupResource,
  name: string,
  prefix = '',
): StatusError {
  const subject = `${prefix}${qualified(resource.resource, resource.group)} ${goQuote(name)}`
  const message = `${subject} already exists, the server was not able to generate a unique name for the object`
  return new StatusError(409, 'AlreadyExists', message, {
    details: { ...resourceDetails(resource, name), retryAfterSeconds: 1 },
  })
}

export const staleObject =
  'the object has been modified; please apply your changes to the latest version and try again'

export function conflict(
  resource: GroupResource,
  name: string,
  why: string,
  cause?: unknown,
): StatusError {
  const subject = `${qualified(resource.resource, resource.group)} ${goQuote(name)}`
  return new StatusError(409, 'Conflict', `Operation cannot be fulfilled on ${subject}: ${why}`, {
    details: resourceDetails(resource, name),
    cause,
  })
}

export function expired(message: string, continueToken?: string): StatusError {
  return new StatusError(
    410,
    'Expired',
    message,
    continueToken === undefined ? {} : { continueToken },
  )
}

export function requestEntityTooLarge(why: string): StatusError {
  return new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: ${why}`)
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const types = accepted.join(', ')
  const message = `the body of the request was in an unknown format - accepted media types include: ${types}`
  return new StatusError(415, 'UnsupportedMediaType', message)
}

/**
 * A 422 with one cause per field error, up to a limit. `kind` is the kind, or the resource if the real server uses it.
 */
export function invalid(
  kind: { group: string; kind: string },
  name: string,
  found: readonly FieldError[],
): StatusError {
  const errors = toldErrors(found)
  const message = `${qualified(kind.kind, kind.group)} ${goQuote(name)} is invalid: ${aggregateMessage(errors)}`
  return new StatusError(422, 'Invalid', message, {
    details: {
      ...(name === '' ? {} : { name }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      ...(kind.kind === '' ? {} : { kind: kind.kind }),
      causes: errors.map(({ reason, message: text, field }) => ({ reason, message: text, field })),
    },
  })
}

/** The error for a JSON patch that cannot be applied, without the library's own message. */
export function unprocessable(cause?: unknown): StatusError {
  const message = 'the server rejected our request due to an error in our request'
  return new StatusError(422, 'Invalid', message, { details: {}, cause })
}

export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError(429, 'TooManyRequests', message, { details: { retryAfterSeconds } })
}

/** 500 without a reason: an error that the API does not classify. */
export function plainError(message: string, cause?: unknown): StatusError {
  return new StatusError(500, '', message, { cause })
}

export function internalError(message: string, cause?: unknown): StatusError {
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, {
    details: { causes: [{ message }] },
    cause,
  })
}

export function serviceUnavailable(message: string, retryAfterSeconds?: number): StatusError {
  return new StatusError(503, 'ServiceUnavailable', message, {
    ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
  })
}

export function timeout(message: string, details: StatusDetails = {}): StatusError {
  return new StatusError(504, 'Timeout', `Timeout: ${message}`, { details })
}

/** The error for a revision above the newest. Source: reference 4.6. */
export function resourceVersionTooLarge(
  asked: number,
  current: number,
  retryAfterSeconds: number,
): StatusError {
  return timeout(`Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  })
}

/** Error of a request whose client no longer waits, or whose time is over. */
export function requestTimeout(): StatusError {
  return timeout('request did not complete within requested timeout')
}
