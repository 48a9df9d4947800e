import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../meta/types.ts'
import { linkAnnotations } from '../management/users/accountLink.ts'

/** Fields of a User that determine access to the account. */
interface EntrySpec {
  passwordRef?: unknown
  codesRef?: unknown
  subject?: string
  email?: string
  tokenGeneration?: number | bigint
}

/**
 * Reports whether a write changes access to an account: the location of its password, the linked provider user, or
 * valid tokens. @param old undefined: the account is new.
 */
export function changesEntry(
  next: ApiObject,
  old: ApiObject | undefined,
  names: NamesProfile,
): boolean {
  const [wanted, before] = [specOf(next), old === undefined ? {} : specOf(old)]
  const isSame = (field: keyof EntrySpec): boolean =>
    textOf(wanted[field]) === textOf(before[field])
  if (!isSame('passwordRef') || !isSame('codesRef')) return true
  if (changesLink(next, old, names)) return true
  // A new account has no tokens, and its subject is checked as a name.
  if (old === undefined) return false
  // Tokens of an older generation were revoked.
  if ((wanted.tokenGeneration ?? 0) < (before.tokenGeneration ?? 0)) return true
  // Users of a provider are matched by subject or, if invited, by email address.
  const { invitation } = linkAnnotations(names.domain)
  return !isSame('subject') || (annotation(old, invitation) !== '' && !isSame('email'))
}

/** Reports whether a write changes the provider user linked to an account, or who may claim it. */
export function changesLink(
  next: ApiObject,
  old: ApiObject | undefined,
  { domain }: NamesProfile,
): boolean {
  const { identity, invitation } = linkAnnotations(domain)
  return [identity, invitation].some(
    (name) => annotation(next, name) !== (old === undefined ? '' : annotation(old, name)),
  )
}

function specOf(account: ApiObject): EntrySpec {
  // Guaranteed by the schema of users.
  return account['spec'] ?? {}
}

function annotation({ metadata }: ApiObject, name: string): string {
  return metadata.annotations?.[name] ?? ''
}

/** The string form of a canonical value, for comparison; empty counts as absent. */
function textOf(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value ?? '')
}
