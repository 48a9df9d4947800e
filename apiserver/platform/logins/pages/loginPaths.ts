import { identityProviderPath } from './browserSession.ts'

/** Whether a path, percent-decoded and without its query, belongs to logins. */
export function isLoginPath(path: string): boolean {
  return path === '/login' || path.startsWith('/auth/') || isIdentityProviderPath(path)
}

/** Whether a path belongs to the platform's OpenID provider. */
export function isIdentityProviderPath(path: string): boolean {
  return path === identityProviderPath || path.startsWith(`${identityProviderPath}/`)
}
