import type { UserInfo } from '../meta/types.ts'
import type { AuthorizationAttributes, AuthorizationDecision } from './authorizer.ts'
import type { OwnershipRule } from './ownership.ts'
import type { PolicyRule } from './rbac/policyRule.ts'
import type { RbacAuthorizer } from './rbac/rbacAuthorizer.ts'

/** Whether what a user showed (`user.credential`) reaches a request at all. */
export type ScopeCheck = (request: AuthorizationAttributes) => AuthorizationDecision

export interface PlaneAuthorizerOptions {
  rbac: RbacAuthorizer
  ownership: readonly OwnershipRule[]
  scopeAllows: ScopeCheck
}

/** The rights of a user, as rules. */
export interface HeldRules {
  rules: PolicyRule[]
  /** Why the rules are not the whole truth; empty: they are. */
  problems: string[]
}

/** The one decision of a control plane: what the credential's scope reaches, and roles or ownership allow. A scope only
 *  narrows, the superusers' too. Source: specification, "Authentication" 4 and 8; platform facts 2. */
export class PlaneAuthorizer {
  readonly #options: PlaneAuthorizerOptions

  constructor(options: PlaneAuthorizerOptions) {
    this.#options = options
  }

  readonly authorize = (request: AuthorizationAttributes): AuthorizationDecision => {
    const { rbac, ownership, scopeAllows } = this.#options
    if (request.user.credential?.scope !== undefined) {
      const scope = scopeAllows(request)
      if (!scope.allowed) return scope
    }
    const decision = rbac.authorize(request)
    if (decision.allowed) return decision
    return ownership.some((rule) => rule.allows(request)) ? owned : decision
  }

  /** What a user may do everywhere and, unless it is empty, in a namespace. */
  async rulesFor(user: UserInfo, namespace: string): Promise<HeldRules> {
    const { rbac, ownership } = this.#options
    const own = await Promise.all(
      ownership.map(async (rule) => (await rule.rules?.(user, namespace)) ?? []),
    )
    const all = rbac.isSuperuser(user) ? everything : []
    const rules = [...all, ...rbac.index.rulesFor(user, namespace), ...own.flat()]
    const problems = rbac.index.problemsFor(user, namespace)
    if (user.credential?.scope !== undefined) problems.push(narrowed)
    return { rules, problems }
  }
}

const owned: AuthorizationDecision = { allowed: true, reason: 'allowed by ownership' }

const everything: PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

const narrowed = 'the scope of the credential narrows these rules'
