/** Exit codes of the program; part of its interface, like its output. */
export const exitCodes = {
  ok: 0,
  /** Failure without an exit code of its own. */
  failed: 1,
  /** Invalid command line. */
  usage: 2,
  /** Not logged in, or the login has expired. */
  unauthenticated: 3,
  /** Not allowed for the user, or by the scope of the key. */
  forbidden: 4,
  notFound: 5,
  /** Conflict: the object already exists, or was changed in the meantime. */
  conflict: 6,
  /** Not completed within `--timeout`. */
  timeout: 7,
  /** Server unreachable, or its certificate is not trusted. */
  unreachable: 8,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Failure in one sentence, with the user's next step. */
export class CliError extends Error {
  readonly code: ExitCode
  /** Next step of the user; empty: nothing specific. */
  readonly hint: string

  constructor(message: string, given: { code?: ExitCode; hint?: string; cause?: unknown } = {}) {
    super(message, given.cause === undefined ? {} : { cause: given.cause })
    this.name = 'CliError'
    this.code = given.code ?? exitCodes.failed
    this.hint = given.hint ?? ''
  }
}

/** Error for an invalid command line. */
export function usageError(message: string, hint = ''): CliError {
  return new CliError(message, { code: exitCodes.usage, hint })
}
