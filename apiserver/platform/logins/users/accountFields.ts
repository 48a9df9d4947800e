import { emailOriginAnnotation } from '../../../apis/management/users/emailOrigin.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ExternalIdentity } from './externalIdentity.ts'
import type { UserSpec } from './userDirectory.ts'

/** The value that links an account to a user of a provider. */
export function linkOf({ connector, userId }: ExternalIdentity): string {
  return `${connector}:${userId}`
}

/** The displayed fields of a user. */
export function shownOf({ displayName, email, icon }: ExternalIdentity): UserSpec {
  return {
    ...(displayName === undefined ? {} : { displayName }),
    ...(email === undefined ? {} : { email }),
    ...(icon === undefined ? {} : { icon }),
  }
}

/** The annotation for an address that the provider verified. */
export function originOf(
  { email, emailVerified }: ExternalIdentity,
  names: NamesProfile,
): Record<string, string> {
  const isVerified = email !== undefined && emailVerified
  return isVerified ? { [emailOriginAnnotation(names)]: 'provider' } : {}
}

/** Reports whether the server itself assigns meaning to the name. */
export function isReservedName(name: string, { platform }: NamesProfile): boolean {
  return name.startsWith('system:') || name.startsWith(`${platform}:`)
}
