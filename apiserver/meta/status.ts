import { isObject } from './json/isObject.ts'

/**
 * The body of every error, and of a delete that leaves no object. Key order is the order on the wire.
 * Source: Kubernetes API conventions, "Response Status Kind"; reference 2.1.
 */
export interface Status {
  kind: 'Status'
  apiVersion: 'v1'
  metadata: { continue?: string }
  /** `Success` or `Failure`; a webhook may use another word. */
  status: string
  message?: string
  reason?: string
  details?: StatusDetails
  code?: number
}

/** Reports whether a response is a Status. */
export function isStatus(value: unknown): value is Status {
  return isObject(value) && value['kind'] === 'Status' && value['apiVersion'] === 'v1'
}

export interface StatusDetails {
  name?: string
  group?: string
  /** The resource plural; for Invalid the kind. */
  kind?: string
  uid?: string
  causes?: StatusCause[]
  retryAfterSeconds?: number
}

export interface StatusCause {
  reason?: string
  message?: string
  /** JSON path of the field from the object's root, `spec.list[0].name`. */
  field?: string
}

export type StatusReason =
  | ''
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Expired'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'Invalid'
  | 'TooManyRequests'
  | 'InternalError'
  | 'ServerTimeout'
  | 'StorageReadError'
  | 'ServiceUnavailable'
  | 'Timeout'

export interface StatusErrorOptions {
  details?: StatusDetails
  /** A continue token for continuing the list (410 on a list page). */
  continueToken?: string
  /** Additional metadata, and a status other than Failure, from a program that responds in place of this server. */
  foreign?: { metadata?: object | undefined; status?: string | undefined }
  cause?: unknown
}

/** An error for clients, thrown by every layer above storage. */
export class StatusError extends Error {
  readonly code: number
  readonly reason: StatusReason
  readonly details: StatusDetails | undefined
  readonly continueToken: string | undefined
  readonly #foreign: StatusErrorOptions['foreign']

  constructor(
    code: number,
    reason: StatusReason,
    message: string,
    options: StatusErrorOptions = {},
  ) {
    const { stackTraceLimit } = Error
    // Errors of clients need no stack trace, and some occur thousands of times a second.
    if (code < 500) Error.stackTraceLimit = 0
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'StatusError'
    this.code = code
    this.reason = reason
    this.details = options.details
    this.continueToken = options.continueToken
    this.#foreign = options.foreign
  }

  /** The wire form. */
  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {
        ...this.#foreign?.metadata,
        ...(this.continueToken === undefined ? {} : { continue: this.continueToken }),
      },
      status: this.#foreign?.status ?? 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    }
  }
}

/** Reports whether an error is one for clients with one of the reasons. */
export function hasReason(error: unknown, ...reasons: StatusReason[]): error is StatusError {
  return error instanceof StatusError && reasons.includes(error.reason)
}
