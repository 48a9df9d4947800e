import type { ResourceDefinition, ParentSubresource } from '../registry/resource.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'

/** What a request is about, once its URL is known to name something. */
export interface Target {
  resource: ResourceDefinition
  store: Store
  /** The object, or with an empty name the collection, as the store knows it. */
  object: ObjectName
  /** The request goes through this subresource. */
  subresource: ParentSubresource | undefined
}
