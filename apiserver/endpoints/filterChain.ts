import type { ChainServices } from './chainServices.ts'
import type { Exchange } from './exchange.ts'
import { beginAudit, decideAudit } from './filters/audit.ts'
import { authenticate } from './filters/authentication.ts'
import { authorize } from './filters/authorization.ts'
import { allowOrigin } from './filters/cors.ts'
import { impersonate } from './filters/impersonation.ts'
import { limitInFlight } from './filters/inFlight.ts'
import { setDeadline } from './filters/deadline.ts'
import { refuseWhenStopping } from './filters/shutdown.ts'
import { writeError } from './response.ts'
import { route } from './router.ts'

/** A step on the way in. It refuses by throwing a StatusError, or answers itself and ends the response. */
type Filter = (exchange: Exchange, services: ChainServices) => void | Promise<void> | undefined

/** The one order. A malformed deadline is refused before authentication; authentication comes before throttling, and
 *  throttling before authorization. Source: reference 1.1. */
const filters: readonly Filter[] = [
  beginAudit,
  refuseWhenStopping,
  setDeadline,
  allowOrigin,
  authenticate,
  decideAudit,
  impersonate,
  limitInFlight,
  authorize,
  route,
]

/** Takes an exchange through the chain to its answer. Never rejects. */
export async function serveExchange(exchange: Exchange, services: ChainServices): Promise<void> {
  try {
    for (const filter of filters) {
      const pending = filter(exchange, services)
      if (pending !== undefined) await pending
      if (exchange.response.writableEnded) return
    }
  } catch (error) {
    writeError(exchange, error, services.report)
  }
}
