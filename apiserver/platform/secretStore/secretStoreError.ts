/** Why a request to the store did not do what it should. */
export type SecretStoreReason =
  /** No answer, or one that says "later". */
  | 'Unreachable'
  /** The connection was given up here. */
  | 'Closed'
  /** Another client wrote first. */
  | 'Conflict'
  /** The token is not good enough, or is missing. */
  | 'Forbidden'
  /** The store cannot do what was asked, now or later. */
  | 'Refused'

/** `message` is the same for the same cause, since it is shown in conditions. */
export class SecretStoreError extends Error {
  readonly reason: SecretStoreReason

  constructor(reason: SecretStoreReason, message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.name = 'SecretStoreError'
    this.reason = reason
  }

  /** Asking again soon may help. */
  get isTransient(): boolean {
    return this.reason === 'Unreachable' || this.reason === 'Conflict'
  }
}
