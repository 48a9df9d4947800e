/** A server-side error with the request that it ended. */
export class RequestError extends Error {
  constructor(request: string, cause: unknown) {
    super(`${request}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'RequestError'
  }
}
