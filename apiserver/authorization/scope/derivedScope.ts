import { isDeepStrictEqual } from 'node:util'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import { isRestricting } from './accessKeyScope.ts'

export type Scope = Record<string, unknown>

/**
 * The scope of a credential that `user` requests. A scoped user can only pass on its own scope,
 * which is the default; any other scope is refused with a reason. `scope` undefined: unrestricted.
 */
export function derivedScope(
  user: UserInfo,
  wanted: Scope | undefined,
  names: NamesProfile,
): { scope: Scope | undefined } | { refusal: string } {
  const own = user.credential?.scope
  if (own === undefined || !isRestricting(own, names)) return { scope: wanted }
  if (wanted === undefined || !isRestricting(wanted, names)) return { scope: own }
  if (isDeepStrictEqual(wanted, own)) return { scope: own }
  return { refusal: 'what is made under a scope has the same scope' }
}
