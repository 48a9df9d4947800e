import type { ChainServices } from '../chainServices.ts'
import type { Exchange } from '../exchange.ts'
import { writeText } from '../response/response.ts'

/** Paths about the server's health, which are served until the end. */
const exempt = /^\/(healthz|livez|readyz|metrics)(\/|$)/

/**
 * Responds 429 to new requests during a shutdown: clients retry on another connection.
 * Source: reference 1.7.
 */
export function refuseWhenStopping(exchange: Exchange, { isStopping }: ChainServices): void {
  if (!isStopping() || exempt.test(exchange.path)) return
  exchange.gaveUp = 'busy'
  const isHttp1 = exchange.request.httpVersionMajor === 1
  writeText(exchange, 429, 'The apiserver is shutting down, please try again later.\n', {
    'Retry-After': '5',
    ...(isHttp1 ? { Connection: 'close' } : {}),
  })
}
