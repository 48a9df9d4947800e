import { managementResource } from '../../apis/management/managementKind.ts'
import { objectIfAny } from '../../apis/storeReads.ts'
import { continuationOf, sessionCookie } from './pages/browserSession.ts'
import type { LoginCodes, LoggedIn } from './records/loginCodes.ts'
import type { LoginAnswer } from './pages/loginResponse.ts'
import { makeLoginKey } from './loginKeys.ts'
import { clientCodePage, goingOnPage, signedInPage } from './pages/loginPages.ts'
import type { LoginServices } from './loginServices.ts'
import { clientAddress, type ClientRequest, type LoginTarget } from './loginTarget.ts'

export interface SignedInForm {
  wantsPage: boolean
  target: LoginTarget
  codes: LoginCodes
}

/** Creates the key of a successful login, and the response that returns it. Source: platform facts 4, AccessKey. */
export async function signedIn(
  login: LoggedIn,
  services: LoginServices,
  { wantsPage, target, codes }: SignedInForm,
): Promise<LoginAnswer> {
  const { names, settings, hasConsole } = services
  const { user, identity } = login
  if (wantsPage && hasConsole && target.console !== undefined) {
    const { challenge, state } = target.console
    return {
      code: 303,
      headers: { Location: consoleAddress(await codes.issue(login, challenge), state) },
    }
  }
  const username = usernameOf(user, services)
  const noted = { user, connector: identity?.connector ?? 'password' }
  if (wantsPage && target.client !== undefined) {
    const code = await codes.issue(login, target.client.challenge)
    return { code: 200, noted, page: codePage(username, target.client, code) }
  }
  const accessKey = await makeLoginKey(user, services, identity)
  // The platform's OpenID provider, if enabled, recognizes the browser after the login.
  const { enabled } = settings().identityProvider
  const headers = enabled ? { 'Set-Cookie': sessionCookie(accessKey, names) } : {}
  if (wantsPage) return { code: 200, noted, headers, page: lastPage(username, accessKey, target) }
  return { code: 200, noted, headers, json: keyAnswer(user, accessKey, services) }
}

/** The console with a code, relative to any path `/auth/<id>/<step>`. */
function consoleAddress(code: string, state: string): string {
  return `../../console/?${new URLSearchParams({ code, state }).toString()}`
}

/** Creates the key of a login in exchange for its code. */
export async function exchanged(login: LoggedIn, services: LoginServices): Promise<LoginAnswer> {
  const { user, identity } = login
  const accessKey = await makeLoginKey(user, services, identity)
  const noted = { user, connector: identity?.connector ?? 'password' }
  return { code: 200, noted, json: keyAnswer(user, accessKey, services) }
}

function keyAnswer(user: string, accessKey: string, services: LoginServices) {
  const apiVersion = `authentication.${services.names.domain}/v1`
  const username = usernameOf(user, services)
  return { kind: 'AccessKey', apiVersion, user, username, accessKey }
}

function usernameOf(user: string, { access, names }: LoginServices): string {
  const users = access.store(managementResource(names, 'users'))
  const object = objectIfAny(users, { namespace: '', name: user })
  // Sound by the schema of the kind.
  const { username = user } = (object?.['spec'] ?? {}) as { username?: string }
  return username
}

function codePage(username: string, { redirect, state }: ClientRequest, code: string): string {
  return redirect === undefined
    ? clientCodePage(username, code)
    : goingOnPage(username, clientAddress(redirect, state, code))
}

function lastPage(username: string, accessKey: string, { isCli, oidc }: LoginTarget): string {
  const path = oidc === undefined ? undefined : continuationOf(oidc)
  return path === undefined ? signedInPage(username, accessKey, isCli) : goingOnPage(username, path)
}
