import type {
  AuthorizationAttributes,
  AuthorizationDecision,
  Authorizer,
} from '../authorization/authorizer.ts'
import type { GroupResource } from '../meta/types.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import type { Store } from '../registry/store.ts'

/** What of a plane its kinds may use. */
export interface AccessiblePlane {
  resources: ResourceSet
  storeOf(resource: ResourceDefinition): Store
  authorize: Authorizer
}

/** What the answers and strategies of kinds may ask of the plane they belong to. Kinds are made before their plane, so it
 *  is bound when the plane stands; asking earlier is a mistake of the program and throws. */
export class PlaneAccess {
  #plane: AccessiblePlane | undefined

  bind(plane: AccessiblePlane): void {
    this.#plane = plane
  }

  resources(): ResourceSet {
    return this.#bound().resources
  }

  /** The store of a resource, whatever its version. */
  store({ group, resource }: GroupResource): Store {
    const plane = this.#bound()
    const found = plane.resources
      .all()
      .find((known) => known.group === group && known.plural === resource)
    if (found === undefined) throw new Error(`${resource} of the group "${group}" is not served`)
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
