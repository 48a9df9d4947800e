import type {
  AuthorizationAttributes,
  AuthorizationDecision,
  Authorizer,
} from '../authorization/authorizer.ts'
import type { ServiceAccountTokens } from '../authentication/tokens/serviceAccountTokens.ts'
import type { PlaneAuthorizer } from '../authorization/planeAuthorizer.ts'
import type { EscalationGuard } from '../authorization/rbac/escalation.ts'
import type { GroupResource, UserInfo, GroupVersion } from '../meta/types.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import type { Store } from '../registry/store.ts'
import type { RequestContext } from '../registry/strategy.ts'

/** The part of a plane available to its kinds. */
export interface AccessiblePlane {
  resources: ResourceSet
  storeOf(resource: ResourceDefinition): Store
  authorize: Authorizer
  /** Tokens of its service accounts; absent: the plane issues none. */
  tokens?: ServiceAccountTokens
  /**
   * Ranges for service addresses, at most one per family; new services default to the first.
   * Absent: the default range.
   */
  serviceRanges?: readonly string[] | undefined
  /**
   * Authentication and authorization for planes that share their kinds; other planes pass them to
   * their kinds.
   */
  rights?: RightsOfPlane
}

/** Authentication and authorization of a plane. */
export interface RightsOfPlane {
  guard: EscalationGuard
  decisions: Pick<PlaneAuthorizer, 'authorize' | 'rulesFor'>
  authenticate(token: string): UserInfo | undefined | Promise<UserInfo | undefined>
}

/**
 * Access to a plane for the strategies and response handlers of its kinds. Kinds are created before
 * their plane, which is bound later; access before that is a bug and throws.
 */
export class PlaneAccess {
  #plane: AccessiblePlane | undefined

  bind(plane: AccessiblePlane): void {
    this.#plane = plane
  }

  /** The access to a request's plane, for kinds that several planes share. */
  of({ plane }: Pick<RequestContext, 'plane'>): PlaneAccess {
    return plane instanceof PlaneAccess ? plane : this
  }

  rights(): RightsOfPlane {
    const { rights } = this.#bound()
    if (rights === undefined) throw new Error('the kinds of the plane have its rights')
    return rights
  }

  tokens(): ServiceAccountTokens {
    const { tokens } = this.#bound()
    if (tokens === undefined) throw new Error('the plane has no tokens')
    return tokens
  }

  /** Ranges of service addresses; undefined: the default range. */
  serviceRanges(): readonly string[] | undefined {
    return this.#bound().serviceRanges
  }

  resources(): ResourceSet {
    return this.#bound().resources
  }

  storeOf(resource: ResourceDefinition): Store {
    return this.#bound().storeOf(resource)
  }

  /** The store of a resource in any version. */
  store(target: GroupResource): Store {
    const plane = this.#bound()
    const found = plane.resources.ofGroupResource(target)
    if (found !== undefined) return plane.storeOf(found)
    throw new Error(`${target.resource} of the group "${target.group}" is not served`)
  }

  /** The store of one version of a resource. */
  versionStore({ plural, ...groupVersion }: GroupVersion & { plural: string }): Store {
    const plane = this.#bound()
    const found = plane.resources.get(groupVersion, plural)
    if (found === undefined) throw new Error(`${plural} of ${groupVersion.group} is not served`)
    return plane.storeOf(found)
  }

  async authorize(attributes: AuthorizationAttributes): Promise<AuthorizationDecision> {
    return this.#bound().authorize(attributes)
  }

  #bound(): AccessiblePlane {
    if (this.#plane === undefined) throw new Error('the plane is asked before it stands')
    return this.#plane
  }
}
