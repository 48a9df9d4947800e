import { identityProviderPath } from './browserSession.ts'

/** Whether a path, percent-decoded and without its query, is one of logins. */
export function isLoginPath(path: string): boolean {
  return path === '/login' || path.startsWith('/auth/') || isIdentityProviderPath(path)
}

/** Whether it is one of the platform as an OpenID provider. */
export function isIdentityProviderPath(path: string): boolean {
  return path === identityProviderPath || path.startsWith(`${identityProviderPath}/`)
}
