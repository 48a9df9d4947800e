import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { RequestContext } from '../../../registry/strategy.ts'
import { identityGroups } from '../../../authorization/superusers.ts'
import { withAnnotation } from '../annotations.ts'

/** Who a user's email address is from: a provider that verified it, or the user. Absent: an administrator, or a provider
 *  that did not say. */
type EmailOrigin = 'provider' | 'user'

/** The annotation of a User with the origin of its address. The server alone writes it. */
export function emailOriginAnnotation({ domain }: NamesProfile): string {
  return `${domain}/email-origin`
}

/** Notes who changed the address. Changes `next`. What the server itself writes says it already. */
export function noteEmailOrigin(
  next: ApiObject,
  old: ApiObject | undefined,
  { user, isTrusted }: RequestContext,
  names: NamesProfile,
): void {
  if (isTrusted === true) return
  const annotation = emailOriginAnnotation(names)
  const isOwn = user.groups.includes(identityGroups(names).user(next.metadata.name ?? ''))
  const isSame = old !== undefined && emailOf(old) === emailOf(next)
  const changed: EmailOrigin | undefined = isOwn && emailOf(next) !== '' ? 'user' : undefined
  const origin = isSame ? old.metadata.annotations?.[annotation] : changed
  Object.assign(next, withAnnotation(next, annotation, origin))
}

function emailOf(user: ApiObject): string {
  // The schema of users says that it is a text.
  const { email = '' } = (user['spec'] ?? {}) as { email?: string }
  return email
}
