import { systemReason } from './systemReason.ts'

/** The server cannot start, or go on, as it was asked to; the message is the sentence the operator is to read.
 *  It holds no secret. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'StartError'
  }
}

/** A sentence for a file that could not be read.
 *  @param what the file and what it is for, as `the settings file /etc/settings.yaml`. */
export function cannotRead(what: string, error: unknown): StartError {
  const said = error instanceof Error ? error.message : String(error)
  return new StartError(`cannot read ${what}: ${systemReason(error) ?? said}`, error)
}
