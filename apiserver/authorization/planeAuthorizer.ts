import type { UserInfo } from '../meta/types.ts'
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from './authorizer.ts'
import type { ObjectState } from '../registry/read/visibility.ts'
import type { OwnedObjects, OwnershipRule } from './ownership.ts'
import type { PolicyRule } from './rbac/policyRule.ts'
import type { RbacAuthorizer } from './rbac/rbacAuthorizer.ts'
import type { RbacIndex } from './rbac/rbacIndex.ts'
import { ShownObjects } from './shownObjects.ts'
import type { IdentityGroups } from './superusers.ts'
import { WatchViews } from './watchViews.ts'
import type { VisibleLists } from './visibleLists.ts'

/** Whether what a user showed (`user.credential`) reaches a request at all. */
export type ScopeCheck = (request: AuthorizationAttributes) => AuthorizationDecision

export interface PlaneAuthorizerOptions {
  rbac: RbacAuthorizer
  ownership: readonly OwnershipRule[]
  /** Absent: every list and watch needs the right. */
  visible?: VisibleObjects
  scopeAllows: ScopeCheck
  /** Asked about users who are not of this server, where its own rights do not allow. Absent: nobody is. */
  delegate?: Authorizer | undefined
}

/** What is shown in part to those who may not list or watch all of it. */
export interface VisibleObjects {
  lists: VisibleLists
  objects: OwnedObjects
  groups: IdentityGroups
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

  /** The same, and what another API server allows to whoever is not of this one: users of this server are judged by
   *  its own rights alone, as their names may mean somebody else there. @throws Error where the other cannot say. */
  readonly decide: Authorizer = (request) => {
    const own = this.authorize(request)
    const { delegate, scopeAllows } = this.#options
    const isFull = own.allowed && own.shows === undefined
    if (delegate === undefined || isFull || isOfThisServer(request.user)) return own
    const isScoped = request.user.credential?.scope !== undefined
    if (isScoped && !scopeAllows(request).allowed) return own
    return asked(delegate(request), own)
  }

  /** What roles or ownership allow, whatever the scope: for a scope that was asked about another request. */
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
    // A watch goes with a list: of one that shows all it would tell a part.
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

  /** What would be decided, had the object that the request names been in this state. */
  #allowsState(request: AuthorizationAttributes, state: ObjectState): boolean {
    const { rbac, ownership, scopeAllows } = this.#options
    const isScoped = request.user.credential?.scope !== undefined
    if (isScoped && !scopeAllows(request).allowed) return false
    if (rbac.authorize(request).allowed) return true
    return ownership.some((rule) => rule.allowsState?.(request, state) ?? rule.allows(request))
  }

  /** What a user may do everywhere and, unless it is empty, in a namespace. */
  async rulesFor(user: UserInfo, namespace: string): Promise<HeldRules> {
    const { rbac, ownership, visible } = this.#options
    const own = await Promise.all(
      ownership.map(async (rule) => (await rule.rules?.(user, namespace)) ?? []),
    )
    const all = rbac.isSuperuser(user) ? everything : []
    const lists = visible?.lists.rules(user) ?? []
    const rules = [...all, ...rbac.index.rulesFor(user, namespace), ...own.flat(), ...lists]
    const problems = rbac.index.problemsFor(user, namespace)
    if (user.credential?.scope !== undefined) problems.push(narrowed)
    return { rules, problems }
  }
}

function isOfThisServer({ credential = {} }: UserInfo): boolean {
  const { accessKey, user, team, isServiceAccount } = credential
  return [accessKey, user, team, isServiceAccount].some((known) => known !== undefined)
}

/** A list that shows some objects is better than none, whatever the other server says. */
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
