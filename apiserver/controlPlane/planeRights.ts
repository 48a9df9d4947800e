import { guardAccess } from '../apis/access/accessGuard.ts'
import { AccountGuard, type AccountGuardOptions } from '../apis/access/accountGuard.ts'
import {
  authenticationResources,
  type AuthenticateToken,
} from '../apis/kubernetes/authentication/tokenReviews.ts'
import {
  authorizationResources,
  managementReviews,
} from '../apis/kubernetes/authorization/reviewResources.ts'
import type { BuiltInTypes } from '../apis/kubernetes/builtInTypes.ts'
import { ownRecordRule } from '../apis/management/users/ownRecord.ts'
import { bootstrapRoles, namespaceBootstrapRoles } from '../apis/kubernetes/rbac/bootstrapRoles.ts'
import type { ServiceAccountTokens } from '../authentication/tokens/serviceAccountTokens.ts'
import { rbacResources, type RbacResources } from '../apis/kubernetes/rbac/rbacResources.ts'
import type { Authorizer } from '../authorization/authorizer.ts'
import { OwnerRule, type OwnedObjects, type OwnershipRule } from '../authorization/ownerRule.ts'
import { PlaneAuthorizer, type ScopeCheck } from '../authorization/planeAuthorizer.ts'
import { EscalationGuard } from '../authorization/rbac/escalation.ts'
import { RbacAuthorizer } from '../authorization/rbac/rbacAuthorizer.ts'
import { RbacIndex, type RbacStores } from '../authorization/rbac/rbacIndex.ts'
import { identityGroups, superuserGroups } from '../authorization/superusers.ts'
import { VisibleLists } from '../authorization/visibleLists.ts'
import { accessGiving } from '../controllers/accessObjects.ts'
import { AccessRoles } from '../controllers/accessRoles.ts'
import { AggregatedRoles } from '../controllers/aggregatedRoles.ts'
import type { Clock } from '../meta/clock.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { UserInfo } from '../meta/types.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { Store } from '../registry/store.ts'
import { ensureRoles, startRoles } from './startRoles.ts'

export interface PlaneRightsOptions {
  names: NamesProfile
  types: BuiltInTypes
  /** Objects of the plane; only used after the plane was created. */
  objects: OwnedObjects
  scopeAllows: ScopeCheck
  /** Prefix of project namespaces, which is read for every request. */
  projectNamespacePrefix: () => string
  /** Names of the teams that have the user or one of the groups as a member. */
  teamsOf: AccountGuardOptions['teamsOf']
  /** Rights that objects grant in addition to those of their owners. */
  ownership: readonly OwnershipRule[]
  authenticate: AuthenticateToken
  tokens: ServiceAccountTokens
  /** Authorizes users of another server. Absent: disabled. */
  delegate?: Authorizer | undefined
}

type RightsKinds = RbacResources &
  ReturnType<typeof authorizationResources> &
  ReturnType<typeof managementReviews> &
  ReturnType<typeof authenticationResources>

interface Plane {
  resources: readonly ResourceDefinition[]
  storeOf: (resource: ResourceDefinition) => Store
  clock: Clock
  report: (error: unknown) => void
}

/**
 * Access control of a control plane: its kinds, the authorizer, and its controllers. It is created
 * before the plane, and started after it.
 */
export class PlaneRights {
  readonly kinds: RightsKinds
  readonly authorizer: PlaneAuthorizer
  /** Guard for the accounts of users and teams. */
  readonly accounts: AccountGuard
  readonly #options: PlaneRightsOptions
  readonly #index = new RbacIndex()
  readonly #guard: EscalationGuard
  readonly #owners: OwnerRule
  readonly #controllers: { stop(): void }[] = []

  constructor(options: PlaneRightsOptions) {
    const { names, types, objects, ownership, scopeAllows, authenticate, tokens } = options
    this.#options = options
    const rbac = new RbacAuthorizer(this.#index, superuserGroups(names))
    const groups = identityGroups(names)
    this.#owners = new OwnerRule(objects, groups)
    const own = [this.#owners, ownRecordRule(names, groups)]
    this.#guard = new EscalationGuard(rbac)
    const { teamsOf } = options
    this.accounts = new AccountGuard({ names, guard: this.#guard, groups, teamsOf })
    this.authorizer = new PlaneAuthorizer({
      rbac,
      ownership: [...own, ...ownership],
      visible: { lists: new VisibleLists(() => objects.resources()), objects, groups },
      scopeAllows,
      delegate: options.delegate,
    })
    const decisions = {
      authorize: this.authorizer.decide,
      rulesFor: (user: UserInfo, namespace: string) => this.authorizer.rulesFor(user, namespace),
    }
    this.kinds = {
      ...rbacResources(types, () => this.#guard),
      ...authorizationResources(names, () => decisions),
      ...managementReviews(names, () => decisions),
      ...authenticationResources({ names, types, authenticate, tokens: () => tokens }),
    }
  }

  /** The kinds of the plane, with an escalation check for kinds that grant rights. */
  guarded<Kinds extends object>(kinds: Kinds): Kinds {
    const { names, projectNamespacePrefix } = this.#options
    const memberNamespace = (project: string) => projectNamespacePrefix() + project
    const groups = identityGroups(names)
    return guardAccess(kinds, {
      ...{ names, guard: this.#guard, groups, accounts: this.accounts, memberNamespace },
      may: (user, verb, on) => {
        const rest = { isResource: true, version: 'v1', subresource: '', path: '' }
        return this.authorizer.authorize({ user, verb, ...on, ...rest }).allowed
      },
      owns: (owner) => this.#owners.owns(owner),
    })
  }

  /**
   * Reports whether rights were granted to this user name, whether or not such a user exists, since
   * the next user with the name would get them.
   */
  async isNamed(user: string): Promise<boolean> {
    const account = { kind: 'User', apiVersion: '', metadata: { name: user } }
    return this.accounts.isBound(account) || this.#owners.owns({ user })
  }

  /** Creates the default roles, reads all roles and follows changes. */
  async start(plane: Plane): Promise<void> {
    const rbac = rbacStores(this.kinds, plane)
    await ensureRoles(
      rbac,
      startRoles(bootstrapRoles(this.#options.names), namespaceBootstrapRoles),
    )
    await this.#index.start(rbac)
    await this.#startControllers(rbac, plane)
  }

  stop(): void {
    for (const controller of this.#controllers) controller.stop()
  }

  async #startControllers(rbac: RbacStores, plane: Plane): Promise<void> {
    const { platform, domain } = this.#options.names
    const { clock, report } = plane
    const groups = identityGroups(this.#options.names)
    const identities = {
      users: (name: string) => groups.user(name),
      teams: (name: string) => groups.team(name),
    }
    const names = { platform, domain, groups, identities }
    const aggregated = new AggregatedRoles({ clusterRoles: rbac.clusterRoles, clock, report })
    const access = new AccessRoles({ ...plane, rbac, giving: accessGiving(names) })
    this.#controllers.push(aggregated, access)
    await aggregated.start()
    await access.start()
  }
}

/** The stores of a plane's roles and bindings. */
export function rbacStores(kinds: RbacResources, { storeOf }: Pick<Plane, 'storeOf'>): RbacStores {
  return {
    roles: storeOf(kinds.roles),
    clusterRoles: storeOf(kinds.clusterRoles),
    roleBindings: storeOf(kinds.roleBindings),
    clusterRoleBindings: storeOf(kinds.clusterRoleBindings),
  }
}
