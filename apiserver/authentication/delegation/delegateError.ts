/** A response that contains no object. */
interface FailedAnswer {
  status: number
  /** A Status, if the API sent one. */
  body: Record<string, unknown> | undefined
  /** Value of the Retry-After header. */
  retryAfter: string | undefined
}

const passing = new Set([429, 500, 504])

/** An error of a request to the delegate API server. Its message contains no secrets. */
export class DelegateError extends Error {
  /** HTTP status code; 0: no response. */
  readonly status: number
  /**
   * True if the error is temporary and a retry may help. Source: the API machinery's own rule for
   * reviews.
   */
  readonly isPassing: boolean

  constructor(message: string, about: { status: number; isPassing: boolean; cause?: unknown }) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause })
    this.name = 'DelegateError'
    this.status = about.status
    this.isPassing = about.isPassing
  }

  static ofAnswer({ status, body, retryAfter }: FailedAnswer): DelegateError {
    const said = body?.['message']
    const unknown = `the server answered with ${status} and no object`
    const isPassing = passing.has(status) || retryAfter !== undefined
    return new DelegateError(typeof said === 'string' ? said : unknown, { status, isPassing })
  }

  /** A connection error. `what` names the request. */
  static ofConnection(what: string, cause: unknown): DelegateError {
    const { name, message, code } = cause instanceof Error ? failure(cause) : failure(new Error())
    const why = name === 'TimeoutError' ? 'context deadline exceeded' : message
    const isPassing = code === 'ECONNRESET'
    return new DelegateError(`${what}: ${why}`, { status: 0, isPassing, cause })
  }
}

function failure(error: Error): { name: string; message: string; code: unknown } {
  const code = 'code' in error ? error.code : undefined
  // If a host has several addresses and all of them fail, the aggregate error has no message.
  const message =
    error.message === '' ? (typeof code === 'string' ? code : error.name) : error.message
  return { name: error.name, message, code }
}
