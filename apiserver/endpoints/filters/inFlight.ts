import type { Exchange } from '../exchange.ts'
import type { ChainServices } from '../chainServices.ts'
import { start } from '../response.ts'

/** A probe answers however busy the server is: it is asked whether it lives. */
const probe = /^\/(healthz|livez|readyz)(\/|$)/

const readOnlyVerbs = new Set(['get', 'list', 'watch'])

/** Answers 429 in plain text when too many requests run already; `system:masters` are never turned away.
 *  Source: reference 1.7. */
export function limitInFlight(exchange: Exchange, { limits }: ChainServices): void {
  const { info, user, response } = exchange
  if (info.isResource ? info.verb === 'watch' : probe.test(info.path)) return
  const kind = readOnlyVerbs.has(info.verb) ? 'readOnly' : 'mutating'
  const max = kind === 'readOnly' ? limits.maxReadOnly : limits.maxMutating
  if (limits[kind] >= max && !user.groups.includes('system:masters')) {
    const text = 'Too many requests, please try again later.\n'
    start(exchange, 429, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'X-Content-Type-Options': 'nosniff',
      'Retry-After': '1',
    })
    response.end(exchange.method === 'HEAD' ? undefined : text)
    return
  }
  limits[kind]++
  exchange.onFinish(() => limits[kind]--)
}
