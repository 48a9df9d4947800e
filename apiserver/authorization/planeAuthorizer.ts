import { lookupError } from './rbac/missingRoles.ts'
import type { UserInfo } from '../meta/types.ts'
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from './authorizer.ts'
import type { ObjectState } from '../registry/read/visibility.ts'
import type { OwnedObjects, OwnershipRule } from './ownerRule.ts'
import type { PolicyRule } from './rbac/policyRule.ts'
import type { RbacAuthorizer } from './rbac/rbacAuthorizer.ts'
import type { RbacIndex } from './rbac/rbacIndex.ts'
import { ShownObjects } from './shownObjects.ts'
import type { IdentityGroups } from './superusers.ts'
import { WatchViews } from './watchViews.ts'
import type { VisibleLists } from './visibleLists.ts'

/** Checks whether the scope of the credential (`user.credential`) covers a request. */
export type ScopeCheck = (request: AuthorizationAttributes) => AuthorizationDecision

export interface PlaneAuthorizerOptions {
  rbac: RbacAuthorizer
  ownership: readonly OwnershipRule[]
  /** Kinds that are visible in part. Absent: every list and watch needs the right to it. */
  visible?: VisibleObjects
  scopeAllows: ScopeCheck
  /**
   * Authorizer on another server for users of that server, used if this server's own rights do not
   * allow a request. Absent: disabled.
   */
  delegate?: Authorizer | undefined
}

/** Kinds of which users see some objects without the right to list or watch all of them. */
export interface VisibleObjects {
  lists: VisibleLists
  objects: OwnedObjects
  groups: IdentityGroups
}

/** The rights of a user, as rules. */
export interface HeldRules {
  rules: PolicyRule[]
  /** Reasons why the rules may be incomplete; empty: none. */
  problems: string[]
  /** True if the rules list more than the user may do. */
  isIncomplete: boolean
}

/**
 * The decision of a control plane: a request is allowed if the credential's scope covers it, and
 * roles or ownership allow it. A scope only narrows rights, even those of superusers. Source:
 * specification, "Authentication" 4 and 8; platform facts 2.
 */
export class PlaneAuthorizer {
  readonly #options: PlaneAuthorizerOptions
  readonly #shown: ShownObjects
  readonly #views: WatchViews | undefined

  constructor(options: PlaneAuthorizerOptions) {
    this.#options = options
    const { index } = options.rbac
    this.#shown = new ShownObjects(
      (request) => this.authorize(request),
      () => index.generation,
    )
    this.#views = options.visible && this.#viewsOf(options.visible, index)
  }

  readonly authorize = (request: AuthorizationAttributes): AuthorizationDecision => {
    if (request.user.credential?.scope !== undefined) {
      const scope = this.#options.scopeAllows(request)
      if (!scope.allowed) return scope
    }
    return this.held(request)
  }

  /**
   * Authorizes a request. Users of another server are delegated to it; users of this server only
   * have rights granted here, since the same names may belong to other users there. @throws Error
   * if the other server cannot decide.
   */
  readonly decide: Authorizer = (request) => {
    const own = this.authorize(request)
    const { delegate, scopeAllows } = this.#options
    const isFull = own.allowed && own.shows === undefined
    if (delegate === undefined || isFull || isOfThisServer(request.user)) return own
    const isScoped = request.user.credential?.scope !== undefined
    if (isScoped && !scopeAllows(request).allowed) return own
    return asked(delegate(request), own)
  }

  /**
   * Rights through roles or ownership, regardless of the scope. For requests whose scope was
   * already checked in another form.
   */
  held(request: AuthorizationAttributes): AuthorizationDecision {
    const { rbac, ownership, visible } = this.#options
    const decision = rbac.authorize(request)
    if (decision.allowed) return decision
    if (ownership.some((rule) => rule.allows(request))) return owned
    if (visible?.lists.allows(request) !== true) return decision
    return this.#inPart(request, decision)
  }

  #inPart(request: AuthorizationAttributes, refused: AuthorizationDecision): AuthorizationDecision {
    const views = this.#views
    const shows = this.#shown.of(request)
    if (request.verb === 'list' || views === undefined) {
      views?.note(request)
      return { ...seen, shows }
    }
    // A watch requires the same right as its list: if the list shows all objects, a partial watch
    // is refused.
    const list = this.#options.rbac.authorize({ ...request, verb: 'list' })
    return list.allowed ? refused : { ...seen, shows, view: () => views.open(request) }
  }

  #viewsOf({ objects, groups }: VisibleObjects, index: RbacIndex): WatchViews {
    return new WatchViews({
      objects,
      groups,
      decisions: {
        allows: (request) => this.authorize(request).allowed,
        allowsState: (request, state) => this.#allowsState(request, state),
      },
      changes: () => index.changes,
    })
  }

  /** Decides according to the given state of the request's object. */
  #allowsState(request: AuthorizationAttributes, state: ObjectState): boolean {
    const { rbac, ownership, scopeAllows } = this.#options
    const isScoped = request.user.credential?.scope !== undefined
    if (isScoped && !scopeAllows(request).allowed) return false
    if (rbac.authorize(request).allowed) return true
    return ownership.some((rule) => rule.allowsState?.(request, state) ?? rule.allows(request))
  }

  /** Rules of a user everywhere and, if `namespace` is not empty, in that namespace. */
  async rulesFor(user: UserInfo, namespace: string): Promise<HeldRules> {
    const { rbac, ownership, visible } = this.#options
    const own = await Promise.all(
      ownership.map(async (rule) => (await rule.rules?.(user, namespace)) ?? []),
    )
    const all = rbac.isSuperuser(user) ? everything : []
    const lists = visible?.lists.rules(user) ?? []
    const rules = [...all, ...rbac.index.rulesFor(user, namespace), ...own.flat(), ...lists]
    const problems = rbac.index.missingRolesOf(user, namespace).map(lookupError)
    const isIncomplete = user.credential?.scope !== undefined
    if (isIncomplete) problems.push(narrowed)
    return { rules, problems, isIncomplete }
  }
}

function isOfThisServer({ credential = {} }: UserInfo): boolean {
  const { accessKey, user, team, isServiceAccount } = credential
  return [accessKey, user, team, isServiceAccount].some((known) => known !== undefined)
}

/** Decision of the delegate. A partial list is better than none, whatever the delegate decides. */
async function asked(
  answer: AuthorizationDecision | Promise<AuthorizationDecision>,
  own: AuthorizationDecision,
): Promise<AuthorizationDecision> {
  let decision: AuthorizationDecision
  try {
    decision = await answer
  } catch (error) {
    if (own.allowed) return own
    throw error
  }
  if (decision.allowed) return decision
  if (own.allowed) return own
  const reasons = [own.reason, decision.reason].filter((reason) => reason !== '')
  return { allowed: false, reason: reasons.join('\n') }
}

const owned: AuthorizationDecision = { allowed: true, reason: 'allowed by ownership' }

const seen: AuthorizationDecision = {
  allowed: true,
  reason: 'allowed for the objects that the user may get',
}

const everything: PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

const narrowed = 'the scope of the credential narrows these rules'
