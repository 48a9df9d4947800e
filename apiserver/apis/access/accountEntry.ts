import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../meta/types.ts'
import { linkAnnotations } from '../management/users/accountLink.ts'

/** What of a User decides who can come into the account. */
interface EntrySpec {
  passwordRef?: unknown
  codesRef?: unknown
  subject?: string
  email?: string
  tokenGeneration?: number | bigint
}

/** Whether a write changes what an account is entered by: where its password is, to which user of which provider it is
 *  linked, and whose tokens are of use. @param old undefined: the account is new. */
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
  // A new account has nobody's tokens, and its subject is looked at as a name.
  if (old === undefined) return false
  // Tokens of an older generation were ended.
  if ((wanted.tokenGeneration ?? 0) < (before.tokenGeneration ?? 0)) return true
  // By their subject, or where they are invited by their address, users of a provider find the account.
  const { invitation } = linkAnnotations(names.domain)
  return !isSame('subject') || (annotation(old, invitation) !== '' && !isSame('email'))
}

/** Whether a write changes to whom of a provider an account is linked, or who of them may take it over. */
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
  // The schema of users says so.
  return account['spec'] ?? {}
}

function annotation({ metadata }: ApiObject, name: string): string {
  return metadata.annotations?.[name] ?? ''
}

/** Objects are canonical, so equal values have equal text; what is empty is as good as absent. */
function textOf(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value ?? '')
}
