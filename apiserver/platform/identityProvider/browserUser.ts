import type { IncomingMessage } from 'node:http'
import { loginType } from '../../authentication/accessKeys/accessKeyLifetime.ts'
import { managementResource } from '../../apis/management/managementKind.ts'
import { objectIfAny } from '../../apis/storeReads.ts'
import { sessionCookieName } from '../logins/pages/browserSession.ts'
import { cookieOf } from '../logins/pages/loginRequest.ts'
import type { ProviderAccount, ProviderAccounts } from './accounts.ts'
import type { ProviderServices } from './providerServices.ts'

/** The user that a browser is logged in as. */
export interface BrowserUser {
  account: ProviderAccount
  /** Seconds since the epoch. */
  loggedInAt: number
  /** The name of the access key of the login. */
  login: string
  /** The access key itself. A secret. */
  key: string
}

/** The user of a browser; undefined: it presents no valid key of a login. */
export function browserUser(
  request: Pick<IncomingMessage, 'headers'>,
  services: ProviderServices,
  accounts: ProviderAccounts,
): BrowserUser | undefined {
  const { names, authenticate } = services
  const key = cookieOf(request, sessionCookieName(names))
  const credential = key === undefined ? undefined : authenticate(key)?.credential
  if (key === undefined || credential?.accessKey === undefined) return undefined
  const { accessKey: login, accessKeyType, user, scope } = credential
  // Restricted keys must not obtain a token with all rights of their user.
  if (accessKeyType !== loginType || user === undefined || scope !== undefined) return undefined
  const account = accounts.byName(user)
  const loggedInAt = secondOf(login, services)
  return account && loggedInAt ? { account, loggedInAt, login, key } : undefined
}

/** Creation time of the key of a login. Undefined: deleted. */
function secondOf(login: string, { access, names }: ProviderServices): number | undefined {
  const keys = access.store(managementResource(names, 'ownedaccesskeys'))
  const object = objectIfAny(keys, { namespace: '', name: login })
  const madeAt = object?.metadata.creationTimestamp
  return madeAt === undefined ? undefined : Math.floor(Date.parse(madeAt) / 1000)
}
