/** The server cannot start, or go on, as it was asked to; the message is the sentence the operator is to read.
 *  It holds no secret. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'StartError'
  }
}
