import { messageOf } from '../meta/messageOf.ts'
import { systemReason } from './systemReason.ts'

/**
 * The server cannot start or continue as configured; the message is written for the operator and contains no secret.
 */
export class StartError extends Error {
  /** Compares by name: a loader may have loaded this module twice, once for modules imported on demand. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'StartError'
  }

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'StartError'
  }
}

/**
 * An error for a file that cannot be read.
 * @param what the file and its purpose, such as `the settings file /etc/settings.yaml`.
 */
export function cannotRead(what: string, error: unknown): StartError {
  const said = messageOf(error)
  return new StartError(`cannot read ${what}: ${systemReason(error) ?? said}`, error)
}
