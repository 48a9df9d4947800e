import type { EscalationGuard } from '../../../authorization/rbac/escalation.ts'
import type { RequestContext } from '../../../registry/strategy.ts'

/** Guard against privilege escalation on the plane of a request. */
export type GuardOf = (context: RequestContext) => EscalationGuard
