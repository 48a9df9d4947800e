import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { RequestContext } from '../../../registry/strategy.ts'
import { identityGroups } from '../../../authorization/superusers.ts'
import { withAnnotation } from '../annotations.ts'

/**
 * The origin of a user's email address: a provider that verified it, or the user. Absent: an
 * administrator set it, or a provider that did not verify it.
 */
type EmailOrigin = 'provider' | 'user'

/** The annotation of a User with the origin of its address. Only the server writes it. */
export function emailOriginAnnotation({ domain }: NamesProfile): string {
  return `${domain}/email-origin`
}

/**
 * Records the origin of a changed address. Changes `next`. The server's own writes already contain
 * the origin.
 */
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
  // Guaranteed by the schema of users.
  const { email = '' } = (user['spec'] ?? {}) as { email?: string }
  return email
}
