/** What came instead of an object. */
interface FailedAnswer {
  status: number
  /** A Status, where the API answered. */
  body: Record<string, unknown> | undefined
  /** The header. */
  retryAfter: string | undefined
}

const passing = new Set([429, 500, 504])

/** The API server that this one asks gave no answer that is of use. The message holds no secret. */
export class DelegateError extends Error {
  /** Of HTTP; 0: there was no answer. */
  readonly status: number
  /** Whether another try may help. Source: the API machinery's own rule for reviews. */
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

  /** `what` names the request. */
  static ofConnection(what: string, cause: unknown): DelegateError {
    const { name, message, code } = cause instanceof Error ? failure(cause) : failure(new Error())
    const why = name === 'TimeoutError' ? 'context deadline exceeded' : message
    const isPassing = code === 'ECONNRESET'
    return new DelegateError(`${what}: ${why}`, { status: 0, isPassing, cause })
  }
}

function failure(error: Error): { name: string; message: string; code: unknown } {
  const code = 'code' in error ? error.code : undefined
  // A name with several addresses fails at each of them, and the whole has no words.
  const message =
    error.message === '' ? (typeof code === 'string' ? code : error.name) : error.message
  return { name: error.name, message, code }
}
