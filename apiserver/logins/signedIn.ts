import { managementResource } from '../apis/management/managementKind.ts'
import { objectIfAny } from '../apis/storeReads.ts'
import type { ExternalIdentity } from './externalIdentity.ts'
import type { LoginAnswer } from './loginAnswer.ts'
import { makeLoginKey } from './loginKeys.ts'
import { signedInPage } from './loginPages.ts'
import type { LoginServices } from './loginServices.ts'

export interface SignedInForm {
  wantsPage: boolean
  isCli: boolean
}

/** Makes the key of a login that succeeded, and the answer that hands it over. Source: platform facts 4, AccessKey. */
export async function signedIn(
  { user, identity }: { user: string; identity?: ExternalIdentity },
  services: LoginServices,
  { wantsPage, isCli }: SignedInForm,
): Promise<LoginAnswer> {
  const { access, names } = services
  const accessKey = await makeLoginKey(user, services, identity)
  const users = access.store(managementResource(names, 'users'))
  const object = objectIfAny(users, { namespace: '', name: user })
  // The schema of the kind says so.
  const { username = user } = (object?.['spec'] ?? {}) as { username?: string }
  if (wantsPage) return { code: 200, page: signedInPage(username, accessKey, isCli) }
  const apiVersion = `authentication.${names.domain}/v1`
  return { code: 200, json: { kind: 'AccessKey', apiVersion, user, username, accessKey } }
}
