import type { ResourceDefinition, ParentSubresource } from '../registry/resource.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'

/** The resolved target of a request. */
export interface Target {
  resource: ResourceDefinition
  store: Store
  /** The object, or with an empty name the collection. */
  object: ObjectName
  /** The subresource of the request. */
  subresource: ParentSubresource | undefined
}
