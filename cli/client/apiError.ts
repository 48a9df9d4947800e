import { CliError, exitCodes, type ExitCode } from '../base/cliError.ts'
import type { Answer } from './transport.ts'

/** Error response of the API. */
export class ApiError extends CliError {
  readonly status: number
  /** Reason of the Status object; empty: the body is not a Status. */
  readonly reason: string

  constructor(answer: Answer) {
    const { message, reason } = statusOf(answer)
    super(message, {
      code: codes[answer.status] ?? exitCodes.failed,
      hint: hints[answer.status] ?? '',
    })
    this.status = answer.status
    this.reason = reason
  }
}

/** Reports whether an error is a response with one of these codes. */
export function isStatus(error: unknown, ...codes: number[]): boolean {
  return error instanceof ApiError && codes.includes(error.status)
}

const codes: Readonly<Record<number, ExitCode>> = {
  401: exitCodes.unauthenticated,
  403: exitCodes.forbidden,
  404: exitCodes.notFound,
  409: exitCodes.conflict,
}

const redirected =
  'Redirects are not followed, since they would take your access key along. Log in there if you trust it.'

const hints: Readonly<Record<number, string>> = {
  401: 'Log in again with "$program login".',
  403: '"$program whoami" shows your user and the scope of your access key.',
  // Redirects are not followed.
  301: redirected,
  302: redirected,
  307: redirected,
  308: redirected,
  429: 'The server is busy or limits logins: try again in a moment.',
}

/** Maximum length of a message that is shown; a longer one is not meant for people. */
const maxMessageLength = 4_096

function statusOf({ status, headers, text }: Answer): { message: string; reason: string } {
  try {
    // Sound: fields of another shape are ignored.
    const { message, reason } = JSON.parse(text) as { message?: unknown; reason?: unknown }
    if (typeof message === 'string' && message !== '')
      return {
        message: message.slice(0, maxMessageLength),
        reason: typeof reason === 'string' ? reason : '',
      }
  } catch {
    // Response of a proxy, or of another server.
  }
  const location =
    status < 400 && URL.canParse(headers.location ?? '') ? headers.location : undefined
  const redirect = location === undefined ? '' : `, and redirects to ${new URL(location).origin}`
  return { message: `the server answered ${status}${redirect}`, reason: '' }
}
