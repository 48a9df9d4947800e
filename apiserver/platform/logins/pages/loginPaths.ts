import { identityProviderPath } from './browserSession.ts'

/** Reports whether a path, percent-decoded and without its query, belongs to logins. */
export function isLoginPath(path: string): boolean {
  return path === '/login' || path.startsWith('/auth/') || isIdentityProviderPath(path)
}

/** Reports whether a path belongs to the platform's OpenID provider. */
export function isIdentityProviderPath(path: string): boolean {
  return path === identityProviderPath || path.startsWith(`${identityProviderPath}/`)
}
