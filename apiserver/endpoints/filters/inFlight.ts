import type { Exchange } from '../exchange.ts'
import type { ChainServices } from '../chainServices.ts'
import { writeText } from '../response.ts'

/** A probe answers however busy the server is: it is asked whether it lives. */
const probe = /^\/(healthz|livez|readyz)(\/|$)/

const readOnlyVerbs = new Set(['get', 'list', 'watch'])

/** Answers 429 in plain text when too many requests run already; `system:masters` of the management API
 *  are never turned away.
 *  Source: reference 1.7. */
export function limitInFlight(exchange: Exchange, { limits }: ChainServices): void {
  const { info } = exchange
  if (info.isResource ? info.verb === 'watch' : probe.test(info.path)) return
  const kind = readOnlyVerbs.has(info.verb) ? 'readOnly' : 'mutating'
  const max = kind === 'readOnly' ? limits.maxReadOnly : limits.maxMutating
  if (limits[kind] >= max && !isExempt(exchange)) {
    exchange.gaveUp = 'busy'
    const text = 'Too many requests, please try again later.\n'
    writeText(exchange, 429, text, { 'Retry-After': '1' })
    return
  }
  limits[kind]++
  exchange.onFinish(() => limits[kind]--)
}

/** In a plane of its own, whoever rules it can call themselves what they like. */
function isExempt({ user, plane }: Exchange): boolean {
  return plane.enter === undefined && user.groups.includes('system:masters')
}
