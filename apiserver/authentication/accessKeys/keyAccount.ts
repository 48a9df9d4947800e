import type { NamesProfile } from '../../meta/names/namesProfile.ts'

/** The annotation of an access key whose subject is a service account: the uid of the account that it was made for. An
 *  owner reference would be the place for it, but what has no namespace cannot refer to what has one. */
export function accountAnnotation({ domain }: NamesProfile): string {
  return `${domain}/service-account-uid`
}
