import { managementResource } from '../../apis/management/managementKind.ts'
import { objectIfAny } from '../../apis/storeReads.ts'
import { continuationOf, sessionCookie } from './pages/browserSession.ts'
import type { ExternalIdentity } from './users/externalIdentity.ts'
import type { LoginAnswer } from './pages/loginResponse.ts'
import { makeLoginKey } from './loginKeys.ts'
import { goingOnPage, signedInPage } from './pages/loginPages.ts'
import type { LoginServices } from './loginServices.ts'
import type { LoginTarget } from './loginTarget.ts'

export interface SignedInForm {
  wantsPage: boolean
  target: LoginTarget
}

/** Creates the key of a successful login, and the response that returns it. Source: platform facts 4, AccessKey. */
export async function signedIn(
  { user, identity }: { user: string; identity?: ExternalIdentity },
  services: LoginServices,
  { wantsPage, target }: SignedInForm,
): Promise<LoginAnswer> {
  const { access, names, settings } = services
  const accessKey = await makeLoginKey(user, services, identity)
  const users = access.store(managementResource(names, 'users'))
  const object = objectIfAny(users, { namespace: '', name: user })
  // Sound by the schema of the kind.
  const { username = user } = (object?.['spec'] ?? {}) as { username?: string }
  const noted = { user, connector: identity?.connector ?? 'password' }
  // The platform's OpenID provider, if enabled, recognizes the browser from then on.
  const { enabled } = settings().identityProvider
  const headers = enabled ? { 'Set-Cookie': sessionCookie(accessKey, names) } : {}
  if (wantsPage) return { code: 200, noted, headers, page: lastPage(username, accessKey, target) }
  const apiVersion = `authentication.${names.domain}/v1`
  const json = { kind: 'AccessKey', apiVersion, user, username, accessKey }
  return { code: 200, noted, headers, json }
}

function lastPage(username: string, accessKey: string, { isCli, oidc }: LoginTarget): string {
  const path = oidc === undefined ? undefined : continuationOf(oidc)
  return path === undefined ? signedInPage(username, accessKey, isCli) : goingOnPage(username, path)
}
