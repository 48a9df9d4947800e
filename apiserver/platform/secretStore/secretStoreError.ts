/** Reasons of a failed request to the store. */
export type SecretStoreReason =
  /** No response, or a temporary error. */
  | 'Unreachable'
  /** The connection was closed here. */
  | 'Closed'
  /** Another client wrote first. */
  | 'Conflict'
  /** The token is insufficient or missing. */
  | 'Forbidden'
  /** The request fails permanently. */
  | 'Refused'

/** An error of the store. `message` is stable for the same cause, since it is shown in conditions. */
export class SecretStoreError extends Error {
  readonly reason: SecretStoreReason

  constructor(reason: SecretStoreReason, message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.name = 'SecretStoreError'
    this.reason = reason
  }

  /** True if a retry may help soon. */
  get isTransient(): boolean {
    return this.reason === 'Unreachable' || this.reason === 'Conflict'
  }
}
