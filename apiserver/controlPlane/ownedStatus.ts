import { fieldManagement } from '../endpoints/write/fieldManagement.ts'
import type { ApiObject } from '../meta/types.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import type { Store } from '../registry/store.ts'

/** Manager of fields that the server's own controllers write. Source: seen on kube-apiserver. */
const serverManager = 'kube-apiserver'

/**
 * Returns a function that records the server as the manager of changed status fields, for objects
 * of one store. It returns `next` with its managers.
 */
export function ownedStatus(
  store: Store,
  resources: Pick<ResourceSet, 'get'>,
): (live: ApiObject, next: ApiObject) => ApiObject {
  const { resource } = store
  const subresource = resource.subresources?.find(({ name }) => name === 'status')
  const options = {
    dryRun: false,
    fieldValidation: 'Ignore' as const,
    fieldManager: serverManager,
    force: false,
  }
  return (live, next) =>
    fieldManagement({ resource, store, subresource }, options, resources).updated(live, next)
}
