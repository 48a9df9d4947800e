import type { Exchange } from '../exchange.ts'
import { isLongRunning } from '../longRunning.ts'
import type { ChainServices, InFlightLimits } from '../chainServices.ts'
import { isExemptRequest } from '../exemptRequest.ts'
import { writeText } from '../response/response.ts'

/** Probes, which are exempt from limits so that they report the server's health under load. */
const probe = /^\/(healthz|livez|readyz)(\/|$)/

const readOnlyVerbs = new Set(['get', 'list', 'watch'])

type Kind = 'readOnly' | 'mutating'

/**
 * The share of slots reserved for users with less than a tenth of them, so that one user's requests
 * cannot block all others.
 */
const othersShare = 0.1

/**
 * Responds 429 in plain text if too many requests are running; `system:masters` of the management API is exempt.
 * Source: reference 1.7.
 */
export function limitInFlight(exchange: Exchange, { limits }: ChainServices): void {
  const { info, user } = exchange
  if (info.isResource ? info.verb === 'watch' : probe.test(info.path)) return
  if (isLongRunning(exchange)) return
  const kind = readOnlyVerbs.has(info.verb) ? 'readOnly' : 'mutating'
  if (!hasRoom(limits, kind, user.name) && !isExemptRequest(exchange)) {
    exchange.gaveUp = 'busy'
    const text = 'Too many requests, please try again later.\n'
    writeText(exchange, 429, text, { 'Retry-After': '1' })
    return
  }
  count(limits, kind, user.name, 1)
  exchange.onFinish(() => count(limits, kind, user.name, -1))
}

function hasRoom(limits: InFlightLimits, kind: Kind, user: string): boolean {
  const max = kind === 'readOnly' ? limits.maxReadOnly : limits.maxMutating
  const reserved = Math.floor(max * othersShare)
  const free = max - limits[kind]
  return free > reserved || (free > 0 && (limits.byUser[kind].get(user) ?? 0) < reserved)
}

function count(limits: InFlightLimits, kind: Kind, user: string, change: 1 | -1): void {
  limits[kind] += change
  const held = (limits.byUser[kind].get(user) ?? 0) + change
  if (held === 0) limits.byUser[kind].delete(user)
  else limits.byUser[kind].set(user, held)
}
