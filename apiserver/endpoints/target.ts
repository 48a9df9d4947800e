import type { ResourceDefinition, SubresourceDefinition } from '../registry/resource.ts'
import type { Store } from '../registry/store.ts'

/** What a request is about, once its URL is known to name something. */
export interface Target {
  resource: ResourceDefinition
  store: Store
  /** The request goes through this subresource. */
  subresource: SubresourceDefinition | undefined
}
