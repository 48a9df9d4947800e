import type { NamesProfile } from '../../meta/names/namesProfile.ts'

/**
 * The annotation with the service account's uid on an access key for a service account. An owner
 * reference is not possible, since a cluster-scoped object cannot refer to a namespaced one.
 */
export function accountAnnotation({ domain }: NamesProfile): string {
  return `${domain}/service-account-uid`
}
