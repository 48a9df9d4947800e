import type { Authorizer } from '../../authorization/authorizer.ts'
import type { Exchange, Plane } from '../../endpoints/exchange.ts'
import type { OpenedPlane } from '../../planes/openedPlane.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import type { ResourceSet } from '../../registry/resourceSet.ts'
import type { Store } from '../../registry/store.ts'

/** The cluster as the plane that the endpoints serve. */
export class ClusterPlane implements Plane {
  readonly #opened: OpenedPlane
  readonly access: object
  readonly authorize: Authorizer
  /** True, since the plugin OwnerReferencesPermissionEnforcement is disabled by default. */
  readonly allowsAnyOwner = true

  constructor(opened: OpenedPlane) {
    this.#opened = opened
    this.access = opened.access
    this.authorize = opened.plane.authorize
  }

  get resources(): ResourceSet {
    return this.#opened.plane.resources
  }

  get admission() {
    return this.#opened.plane.admission
  }

  get remote() {
    return this.#opened.plane.remote
  }

  get proxy() {
    return this.#opened.plane.proxy
  }

  storeOf(resource: ResourceDefinition): Store {
    return this.#opened.plane.storeOf(resource)
  }

  serveDocument(exchange: Exchange): Promise<boolean> {
    return this.#opened.plane.serveDocument(exchange)
  }
}
