import type { ChainServices } from './chainServices.ts'
import { countedRun, type Filter } from './countedRun.ts'
import type { Exchange } from './exchange.ts'
import type { CountedFilter } from './filterTallies.ts'
import { beginAudit, decideAudit } from './filters/audit.ts'
import { authenticate } from './filters/authentication.ts'
import { authorize } from './filters/authorization.ts'
import { allowOrigin } from './filters/cors.ts'
import { enterPlane } from './filters/enterPlane.ts'
import { impersonate } from './filters/impersonation.ts'
import { limitInFlight } from './filters/inFlight.ts'
import { setDeadline } from './filters/deadline.ts'
import { refuseWhenStopping } from './filters/shutdown.ts'
import { takeTurn } from './filters/turn.ts'
import { writeError } from './response/response.ts'
import { route } from './router.ts'

interface Step {
  filter: Filter
  /** Name under which the outcomes are counted. */
  counted?: CountedFilter
}

/**
 * The order of filters. A malformed deadline is refused before authentication; authentication precedes throttling, and
 * throttling precedes authorization. Source: reference 1.1.
 */
const steps: readonly Step[] = [
  { filter: beginAudit },
  { filter: refuseWhenStopping },
  { filter: setDeadline },
  { filter: allowOrigin },
  { filter: authenticate, counted: 'authentication' },
  { filter: decideAudit },
  { filter: enterPlane },
  { filter: impersonate },
  { filter: limitInFlight },
  { filter: takeTurn },
  { filter: authorize, counted: 'authorization' },
  { filter: route },
]

/** Runs an exchange through the chain to its response. Never rejects. */
export async function serveExchange(exchange: Exchange, services: ChainServices): Promise<void> {
  try {
    for (const { filter, counted } of steps) {
      const pending =
        counted === undefined
          ? filter(exchange, services)
          : countedRun(filter, counted, exchange, services)
      if (pending !== undefined) await pending
      if (exchange.response.writableEnded || exchange.gaveUp === 'late') break
    }
    if (exchange.gaveUp === 'late') services.tallies.late.ok++
  } catch (error) {
    if (exchange.gaveUp === 'late') services.tallies.late.error++
    writeError(exchange, error, services.report)
  }
}
