import type { NamesProfile } from '../../../meta/names/namesProfile.ts'

/** Where the platform is an OpenID provider. */
export const identityProviderPath = '/oidc'

const attributes = `Path=${identityProviderPath}/; HttpOnly; Secure; SameSite=Lax`

/** The cookie by which the platform, as an OpenID provider, knows a browser that has logged in: it holds the access key of
 *  the login, is sent to the provider's paths alone, and ends with the key or the browser. */
export function sessionCookieName({ platform }: NamesProfile): string {
  return `${platform}-session`
}

/** The header that sets it. */
export function sessionCookie(key: string, names: NamesProfile): string {
  return `${sessionCookieName(names)}=${key}; ${attributes}`
}

/** The header that removes it. */
export function endedSessionCookie(names: NamesProfile): string {
  return `${sessionCookieName(names)}=; Max-Age=0; ${attributes}`
}

/** Where a login goes on that the provider asked for; undefined: it asked for none of this id. No address of another site
 *  can be named. @param id anything. */
export function continuationOf(id: string): string | undefined {
  return /^[\w-]{10,64}$/.test(id) ? `${identityProviderPath}/interaction/${id}` : undefined
}
