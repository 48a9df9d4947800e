import type { ScopeCheck } from '../../authorization/planeAuthorizer.ts'
import type {
  AuthorizationAttributes,
  AuthorizationDecision,
} from '../../authorization/authorizer.ts'
import type { PlaneAccess } from '../../apis/planeAccess.ts'
import type { Authenticator } from '../../endpoints/chainServices.ts'
import type { Exchange, Plane } from '../../endpoints/exchange.ts'
import { refusal } from '../../endpoints/response/forbidden.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import { notFound } from '../../meta/statusErrors.ts'
import { groupResource, type ResourceDefinition } from '../../registry/resource.ts'
import type { ResourceSet } from '../../registry/resourceSet.ts'
import type { Store } from '../../registry/store.ts'
import { spaceRole } from '../../apis/management/instances/rolesWithin.ts'
import { planeUser } from '../startBindings.ts'
import type { OpenedPlane } from '../openedPlane.ts'
import { useOf, type PlaneObject } from '../planeObject.ts'
import type { SpaceHosts } from './spaceHosts.ts'
import { limitedAccess } from './spaceLimits.ts'

export interface SpaceEntryServices {
  names: NamesProfile
  /** Resources of every cluster. */
  resources: ResourceSet
  authenticatorOf(object: PlaneObject): Authenticator
  mayUse(use: AuthorizationAttributes): AuthorizationDecision
  scopes: { check: ScopeCheck }
  spaceHosts: SpaceHosts
  /** Calls back when the space with this uid is deleted or moved. Returns a function that unsubscribes. */
  onMoved(uid: string, callback: () => void): () => void
}

/**
 * The entry point of one request to a space: the plane of its cluster, limited to its namespace. A user of the space
 * has the role that the space grants, and other rights in the cluster only within the namespace. Source: platform facts
 * 2, 5 and 7.1 (`use`).
 */
export class SpaceEntry implements Plane {
  readonly authenticator: Authenticator
  readonly #object: PlaneObject
  readonly #services: SpaceEntryServices
  #inside: (ReturnType<typeof limitedAccess> & { host: OpenedPlane }) | undefined

  constructor(object: PlaneObject, services: SpaceEntryServices) {
    this.#object = object
    this.#services = services
    this.authenticator = services.authenticatorOf(object)
  }

  get resources(): ResourceSet {
    return this.#inside?.host.plane.resources ?? this.#services.resources
  }

  get auditTarget() {
    return this.#object.audited
  }

  get access(): PlaneAccess | undefined {
    return this.#inside?.access
  }

  storeOf(resource: ResourceDefinition): Store {
    return this.#here().host.plane.storeOf(resource)
  }

  authorize(request: AuthorizationAttributes) {
    return this.#here().authorize(request)
  }

  serveDocument(exchange: Exchange): Promise<boolean> {
    return this.#here().host.plane.serveDocument(exchange)
  }

  /** Admits a request. @throws StatusError Forbidden if the user may not use the space; also see spaceHosts.ts. */
  async enter(exchange: Exchange): Promise<void> {
    const { names, spaceHosts, scopes } = this.#services
    const { user } = exchange
    const use = useOf(this.#object, user)
    const decision = this.#services.mayUse(use)
    if (!decision.allowed) throw refusal(exchange, use, decision.reason)
    const spaceHost = spaceHosts.find(this.#object)
    await spaceHost.planeEntry.hold(exchange)
    const host = await spaceHost.planeEntry.opened()
    await spaceHosts.ensureNamespace(spaceHost)
    this.#endWatches(exchange, spaceHost.uid)
    exchange.user = planeUser(user, spaceRole(spaceHost.instance, user, names), names)
    const { target } = this.#object
    const scopeAllows: ScopeCheck = (request) => scopes.check({ ...request, target })
    this.#inside = { ...limitedAccess(host, { namespace: spaceHost.namespace, scopeAllows }), host }
  }

  /** Ends watches also when the space is deleted or moved, not only with the credential. */
  #endWatches(exchange: Exchange, uid: string): void {
    const { onRevoked } = exchange
    exchange.onRevoked = (callback) => {
      onRevoked(callback)
      exchange.onFinish(this.#services.onMoved(uid, callback))
    }
  }

  #here() {
    const { store, name } = this.#object
    if (this.#inside === undefined) throw notFound(groupResource(store.resource), name.name)
    return this.#inside
  }
}
