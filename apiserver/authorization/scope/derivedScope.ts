import { isDeepStrictEqual } from 'node:util'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import { isRestricting } from './accessKeyScope.ts'

export type Scope = Record<string, unknown>

/** The scope of a credential that `user` asks for: a narrowed one hands out no more than itself, so its own scope is
 *  taken where none is wanted, and any other is refused with the reason. `scope` undefined: no restriction. */
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
