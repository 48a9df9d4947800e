import type { ChainServices } from '../chainServices.ts'
import type { Exchange } from '../exchange.ts'
import { RequestAudit } from '../audit/requestAudit.ts'

/** Before authentication, so that its refusals are noted too; only after it is it known whether a request is. */
export function beginAudit(exchange: Exchange, { audit, clock }: ChainServices): void {
  const decide = audit?.policy
  if (audit === undefined || decide === undefined) return
  const noted = new RequestAudit(exchange, audit, decide, clock)
  exchange.audit = noted
  exchange.onFinish(() => noted.finished())
}

/** After authentication, before the user may become another: a policy speaks of who it is. */
export function decideAudit(exchange: Exchange): void {
  if (exchange.audit?.received(exchange.user) === false) exchange.audit = undefined
}
