import type { EscalationGuard } from '../../../authorization/rbac/escalation.ts'
import type { RequestContext } from '../../../registry/strategy.ts'

/** What keeps people from giving too much on the plane that a request came to. */
export type GuardOf = (context: RequestContext) => EscalationGuard
