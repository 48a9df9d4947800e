import type { NamesProfile } from '../../../meta/names/namesProfile.ts'

/** Base path of the platform's OpenID provider. */
export const identityProviderPath = '/oidc'

const attributes = `Path=${identityProviderPath}/; HttpOnly; Secure; SameSite=Lax`

/**
 * Name of the cookie by which the OpenID provider recognizes a logged-in browser. It contains the
 * access key of the login, is sent only to the provider's paths, and expires with the key or the
 * browser session.
 */
export function sessionCookieName({ platform }: NamesProfile): string {
  return `${platform}-session`
}

/** The header value that sets the cookie. */
export function sessionCookie(key: string, names: NamesProfile): string {
  return `${sessionCookieName(names)}=${key}; ${attributes}`
}

/** The header value that removes the cookie. */
export function endedSessionCookie(names: NamesProfile): string {
  return `${sessionCookieName(names)}=; Max-Age=0; ${attributes}`
}

/**
 * The path at which a login for the provider continues; undefined: the id is malformed. It cannot name another site.
 * @param id any string.
 */
export function continuationOf(id: string): string | undefined {
  return /^[\w-]{10,64}$/.test(id) ? `${identityProviderPath}/interaction/${id}` : undefined
}
