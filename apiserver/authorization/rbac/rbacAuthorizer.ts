import { aggregateText } from '../../meta/fieldErrors.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { AuthorizationAttributes, AuthorizationDecision } from '../authorizer.ts'
import { cellKeys } from './grantTable.ts'
import { lookupError } from './missingRoles.ts'
import type { RoleRef } from './policyRule.ts'
import type { RbacIndex } from './rbacIndex.ts'

/** Maximum number of cached identities and decisions; beyond that the cache is cleared. */
const maxIdentities = 20_000
const maxDecisions = 512

interface Identity {
  generation: number
  isSuperuser: boolean
  decisions: Map<string, AuthorizationDecision>
}

/**
 * Authorizes requests by roles and bindings, and caches decisions until a role or binding changes.
 * Source: reference 7.8.
 */
export class RbacAuthorizer {
  readonly index: RbacIndex
  readonly #superusers: ReadonlySet<string>
  readonly #identities = new Map<string, Identity>()
  /**
   * Identities by user object, since authentication may return the same object for many requests.
   */
  readonly #byUser = new WeakMap<UserInfo, Identity>()

  /** Creates an authorizer. `superusers` are groups with all rights. */
  constructor(index: RbacIndex, superusers: Iterable<string>) {
    this.index = index
    this.#superusers = new Set(superusers)
  }

  isSuperuser({ groups }: Pick<UserInfo, 'groups'>): boolean {
    return groups.some((group) => this.#superusers.has(group))
  }

  authorize(request: AuthorizationAttributes): AuthorizationDecision {
    const { decisions, isSuperuser } = this.#identityOf(request.user)
    if (isSuperuser) return allowedAll
    const key = requestKey(request)
    const known = decisions.get(key)
    if (known !== undefined) return known
    const decision = this.#decide(request)
    if (decisions.size >= maxDecisions) decisions.clear()
    decisions.set(key, decision)
    return decision
  }

  #decide(request: AuthorizationAttributes): AuthorizationDecision {
    const { user, namespace, isResource } = request
    const cells = cellKeys(request)
    const place = isResource ? namespace : ''
    for (const table of this.index.tablesOf(user, place)) {
      const bound = table.allowing(request, cells)
      if (bound !== undefined) return { allowed: true, reason: bound.reason }
    }
    return { allowed: false, reason: refusalReason(this.index.missingRolesOf(user, place)) }
  }

  #identityOf(user: UserInfo): Identity {
    const { generation } = this.index
    let identity = this.#byUser.get(user)
    if (identity === undefined) this.#byUser.set(user, (identity = this.#namedIdentity(user)))
    if (identity.generation !== generation) {
      identity.generation = generation
      identity.decisions.clear()
    }
    return identity
  }

  #namedIdentity({ name, groups }: UserInfo): Identity {
    // Clients choose names and groups, so the key must be unambiguous.
    const key = JSON.stringify([name, ...groups])
    let identity = this.#identities.get(key)
    if (identity === undefined) {
      if (this.#identities.size >= maxIdentities) this.#identities.clear()
      const isSuperuser = this.isSuperuser({ groups })
      identity = { generation: this.index.generation, isSuperuser, decisions: new Map() }
      this.#identities.set(key, identity)
    }
    return identity
  }
}

const allowedAll: AuthorizationDecision = { allowed: true, reason: '' }

function requestKey(request: AuthorizationAttributes): string {
  if (!request.isResource) return `${request.verb} ${request.path}`
  const { verb, group, resource, subresource, namespace, name } = request
  // Only the name, which is last, can contain a line feed.
  return `${verb}\n${group}\n${resource}\n${subresource}\n${namespace}\n${name}`
}

function refusalReason(missing: readonly RoleRef[]): string {
  if (missing.length === 0) return ''
  // Name of the authorizer and its message. Source: seen on kube-apiserver 1.37.2.
  return `rbac: RBAC: ${aggregateText(missing.map(lookupError))}`
}
