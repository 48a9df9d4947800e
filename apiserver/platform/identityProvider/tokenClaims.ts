import type { AccountClaims } from 'oidc-provider'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { ProviderAccount } from './accounts.ts'

/** Claims by scope. Source: platform facts 4, "OIDC issuer"; OpenID Connect Core section 5.4. */
export const claimsOfScopes = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name', 'preferred_username', 'picture', 'extra_claims'],
  groups: ['groups'],
}

export const scopes = ['openid', 'offline_access', 'email', 'profile', 'groups']

/** The claims about a user. Only `sub` cannot be changed by users; an address is verified if a provider says so. */
export function claimsOf(account: ProviderAccount, names: NamesProfile): AccountClaims {
  const { id, user, spec, isEmailVerified } = account
  const { username, displayName, email, icon, extraClaims = {} } = spec
  const preferred = given(username) ?? user
  return {
    sub: id,
    name: given(displayName) ?? preferred,
    preferred_username: preferred,
    ...(given(email) === undefined ? {} : { email, email_verified: isEmailVerified }),
    ...(icon !== undefined && /^https:\/\//.test(icon) ? { picture: icon } : {}),
    // A separate claim, so that extra claims cannot replace one above.
    ...(Object.keys(extraClaims).length === 0 ? {} : { extra_claims: extraClaims }),
    groups: groupsOf(account, names),
  }
}

/**
 * The user's own groups, and `<platform>:team:<name>` for each team, a name that no own group can have. Groups that
 * grant rights by their name alone in a cluster or in the platform are omitted.
 */
function groupsOf({ groups }: ProviderAccount, { platform }: NamesProfile): string[] {
  const team = `${platform}:team:`
  return groups
    .filter((group) => group.startsWith(team) || !/^system:/.test(group))
    .filter((group) => group.startsWith(team) || !group.startsWith(`${platform}:`))
    .filter((group) => group !== `${team}*`)
    .sort()
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}
