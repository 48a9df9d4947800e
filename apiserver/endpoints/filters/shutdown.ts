import type { ChainServices } from '../chainServices.ts'
import type { Exchange } from '../exchange.ts'
import { writeText } from '../response/response.ts'

/** What tells how the server is, which is asked until it is gone. */
const exempt = /^\/(healthz|livez|readyz|metrics)(\/|$)/

/** Answers 429 to what still comes over a connection while the server stops: the client goes on to another one.
 *  Source: reference 1.7. */
export function refuseWhenStopping(exchange: Exchange, { isStopping }: ChainServices): void {
  if (!isStopping() || exempt.test(exchange.path)) return
  exchange.gaveUp = 'busy'
  const isHttp1 = exchange.request.httpVersionMajor === 1
  writeText(exchange, 429, 'The apiserver is shutting down, please try again later.\n', {
    'Retry-After': '5',
    ...(isHttp1 ? { Connection: 'close' } : {}),
  })
}
