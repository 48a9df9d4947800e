import { generateAccessKey } from '../../authentication/accessKeys/accessKeyForm.ts'
import { loginType } from '../../authentication/accessKeys/accessKeyLifetime.ts'
import { managementResource } from '../../apis/management/managementKind.ts'
import { formatTime } from '../../meta/clock.ts'
import { ignoreNotFound } from '../../registry/ignoring.ts'
import { systemContext } from '../../registry/systemContext.ts'
import type { ExternalIdentity } from './users/externalIdentity.ts'
import type { LoginServices } from './loginServices.ts'

/**
 * Creates the access key of a login and returns its value, a secret that cannot be read again.
 * Source: platform facts 4, rule 1; specification, "OwnedAccessKey", identity.
 */
export async function makeLoginKey(
  user: string,
  services: LoginServices,
  identity?: ExternalIdentity,
): Promise<string> {
  const { names, random, clock, access, settings, sessions } = services
  const key = generateAccessKey(random)
  const keys = access.store(managementResource(names, 'ownedaccesskeys'))
  const ttl = settings().loginAccessKeyTTLSeconds
  const spec = {
    displayName: 'Login',
    user,
    key,
    ...(ttl > 0 ? { ttl } : {}),
    type: loginType,
    ...(identity === undefined ? {} : identityFields(identity, clock.now())),
  }
  const { kind } = keys.resource
  const metadata = { name: `login-${random.bytes(10).toString('hex')}` }
  await keys.create({ kind, apiVersion: keys.apiVersion, metadata, spec }, systemContext())
  await sessions.enforce(user)
  return key
}

/** The fields of a key's spec that identify the user of the login. */
export function identityFields(identity: ExternalIdentity, now: number): Record<string, unknown> {
  const { userId, username, preferredUsername, emailVerified, connector } = identity
  const { email, extraClaims, groups, connectorData } = identity
  const isClaiming = Object.keys(extraClaims).length > 0
  return {
    identity: {
      userId,
      username,
      preferredUsername,
      ...(email === undefined ? {} : { email }),
      ...(emailVerified ? { emailVerified } : {}),
      ...(isClaiming ? { extraClaims } : {}),
      ...(groups.length > 0 ? { groups } : {}),
      connector,
      ...(connectorData === undefined
        ? {}
        : { connectorData: Buffer.from(connectorData).toString('base64') }),
      identityRefresh: formatTime(now),
    },
    identityRefresh: formatTime(now),
  }
}

/** Deletes the given key, if a login created it. An unknown key is ignored. */
export async function endLogin(
  key: string,
  services: Pick<LoginServices, 'access' | 'authenticate' | 'names'>,
): Promise<void> {
  const { credential } = services.authenticate(key) ?? {}
  if (credential?.accessKey === undefined || credential.accessKeyType !== loginType) return
  const keys = services.access.store(managementResource(services.names, 'ownedaccesskeys'))
  const target = { namespace: '', name: credential.accessKey }
  await keys.delete(target, {}, systemContext()).catch(ignoreNotFound)
}
