import { messageOf } from '../../meta/messageOf.ts'

/** A server-side error with the request that it ended. */
export class RequestError extends Error {
  constructor(request: string, cause: unknown) {
    super(`${request}: ${messageOf(cause)}`, { cause })
    this.name = 'RequestError'
  }
}
