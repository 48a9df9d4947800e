/** Exit codes of the program; part of its interface, like its output. */
export const exitCodes = {
  ok: 0,
  /** The command failed for a reason without a code of its own. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** Not logged in, or the login has ended. */
  unauthenticated: 3,
  /** The user, or the scope of the key, may not do it. */
  forbidden: 4,
  notFound: 5,
  /** Conflict: the object exists already, or was changed in between. */
  conflict: 6,
  /** Waited for longer than `--timeout`. */
  timeout: 7,
  /** The server cannot be reached, or its certificate is not trusted. */
  unreachable: 8,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A failure in one sentence, with the next step of the user. */
export class CliError extends Error {
  readonly code: ExitCode
  /** Next step of the user; empty: nothing in particular. */
  readonly hint: string

  constructor(message: string, given: { code?: ExitCode; hint?: string; cause?: unknown } = {}) {
    super(message, given.cause === undefined ? {} : { cause: given.cause })
    this.name = 'CliError'
    this.code = given.code ?? exitCodes.failed
    this.hint = given.hint ?? ''
  }
}

/** A wrong command line. */
export function usageError(message: string, hint = ''): CliError {
  return new CliError(message, { code: exitCodes.usage, hint })
}
