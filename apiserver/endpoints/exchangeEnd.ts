import type { Exchange } from './exchange.ts'

/** Outcome of an ended exchange, as logged and counted. */
export interface ExchangeEnd {
  /** Status code of the response, or of the error that the client did not wait for. */
  code: number
  /** Status code with which the server gave up on the request; undefined: it did not. */
  terminatedCode: number | undefined
  /** True if the connection closed before the end of the body or of the response. */
  isAborted: boolean
}

/**
 * Outcome of an exchange whose response has closed. If the client left before the response, reading the rest of its
 * body failed with 500, or the request ended with 504. Source: observed metrics of kube-apiserver.
 */
export function exchangeEnd({ request, response, gaveUp, takeSocket }: Exchange): ExchangeEnd {
  const { statusCode, headersSent, writableEnded } = response
  // An upgraded connection leaves its response without headers.
  if (headersSent || takeSocket !== undefined) {
    return {
      code: statusCode,
      terminatedCode: gaveUp === undefined ? undefined : statusCode,
      isAborted: headersSent && !writableEnded,
    }
  }
  const isAborted = !request.complete
  return { code: isAborted ? 500 : 504, terminatedCode: 504, isAborted }
}
