import { JwtKeys } from '../authentication/tokens/jwtKeys.ts'
import { looksLikeJwt } from '../authentication/tokens/jwt.ts'
import { scopeKey } from '../authentication/scopeExtra.ts'
import type {
  ServiceAccountTokens,
  TokenPlane,
  TokenSigner,
} from '../authentication/tokens/serviceAccountTokens.ts'
import type { Authenticator } from '../endpoints/chainServices.ts'
import type { Clock, Random } from '../meta/clock.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { UserInfo } from '../meta/types.ts'
import { decodeObject } from '../registry/objectBytes.ts'
import type { SecretKeeper } from '../runtime/files/secretFile.ts'
import type { Storage, StoredValue } from '../storage/storage.ts'

/** Audiences that pods request, which are common to all clusters. */
export const clusterAudiences: readonly string[] = [
  'https://kubernetes.default.svc',
  'https://kubernetes.default.svc.cluster.local',
]

export interface TokenSignerOptions {
  names: NamesProfile
  clock: Clock
  random: Random
  /** Returns the keeper of a secret, by its path in the data folder. */
  keeper: (name: string) => SecretKeeper
}

/**
 * The signer of all service account tokens. Its key is created on first use and never rotated,
 * since tokens may outlive any rotation period. Removing the file invalidates all tokens.
 */
export function tokenSigner({ names, clock, random, keeper }: TokenSignerOptions): TokenSigner {
  const kept = keeper('pki/service-account-keys.json')
  const keys = new JwtKeys({ keeper: kept, clock, maxLifeMs: Infinity, signingMs: Infinity })
  return { keys, clock, random, scopeClaim: scopeKey(names) }
}

/**
 * Finds objects of the core group below a key prefix, which may change or be undefined. It does not
 * use a store, so the plane need not be open.
 */
export function storedObjects(
  storage: Storage,
  prefix: () => string | undefined,
): TokenPlane['find'] {
  const decoded = new WeakMap<StoredValue, ReturnType<typeof decodeObject>>()
  return (resource, { namespace, name }) => {
    const root = prefix()
    const place = namespace === '' ? name : `${namespace}/${name}`
    const stored =
      root === undefined ? undefined : storage.newest(`${root}core/${resource}/${place}`)
    if (stored === undefined) return undefined
    // Cached, since every request of the account reads the object.
    let object = decoded.get(stored)
    if (object === undefined) decoded.set(stored, (object = decodeObject(stored.value)))
    return object
  }
}

/**
 * An authenticator that also accepts tokens of a plane's service accounts. An invalid token of the
 * plane authenticates no user, even if the base authenticator would accept it.
 */
export function withServiceAccounts(
  base: Authenticator,
  tokens: ServiceAccountTokens,
): Authenticator {
  const byToken = async (token: string) => {
    const verdict = await tokens.review(token)
    if (verdict === undefined) return base.authenticate(token)
    return 'user' in verdict ? verdict.user : undefined
  }
  return {
    ...(base.refusal === undefined ? {} : { refusal: base.refusal }),
    authenticate: (token) => (looksLikeJwt(token) ? byToken(token) : base.authenticate(token)),
    authenticateConnection: (request) => base.authenticateConnection?.(request),
    onRevoked: (user: UserInfo, callback) => {
      if (user.credential?.isServiceAccount === true) return () => undefined
      return base.onRevoked?.(user, callback) ?? (() => undefined)
    },
    isSame: (user) => user.credential?.isServiceAccount === true || (base.isSame?.(user) ?? true),
  }
}
