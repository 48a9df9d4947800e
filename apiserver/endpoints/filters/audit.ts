import type { ChainServices } from '../chainServices.ts'
import type { Exchange } from '../exchange.ts'
import { RequestAudit } from '../audit/requestAudit.ts'

/**
 * Starts the audit record before authentication, so that its refusals are recorded; whether the request is audited is
 * decided after it.
 */
export function beginAudit(exchange: Exchange, { audit, clock }: ChainServices): void {
  const decide = audit?.policy
  if (audit === undefined || decide === undefined) return
  const noted = new RequestAudit(exchange, audit, decide, clock)
  exchange.audit = noted
  exchange.onFinish(() => noted.finished())
}

/** Decides after authentication and before impersonation: policies refer to the authenticated user. */
export function decideAudit(exchange: Exchange): void {
  if (exchange.audit?.received(exchange.user) === false) exchange.audit = undefined
}
