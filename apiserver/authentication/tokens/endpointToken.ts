import { isObject } from '../../meta/json/isObject.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { JwtClaims } from './jwt.ts'
import type { TokenGeneration } from '../accessKeys/tokenGeneration.ts'

/** The holder of a token for direct cluster endpoints. Source: platform facts 1.5. */
export interface EndpointTokenHolder {
  /** The uid of the holder's object. */
  uid: string
  /** Name of the User or Team object; the user name for an administrator without a User object. */
  name: string
  kind: string
  /** The user's `tokenGeneration` when the token was issued. */
  gen: TokenGeneration
  /** Scope of the token; absent: unrestricted. */
  scope?: Record<string, unknown>
}

/** Kinds of holders. */
export function holderKinds({ platform }: NamesProfile) {
  const admin = `${platform.charAt(0).toUpperCase()}${platform.slice(1)}Admin`
  return { user: 'User', team: 'Team', admin } as const
}

/** The audience of these tokens, which distinguishes them from all others. */
export function endpointAudience({ domain }: NamesProfile): string {
  return `direct-cluster-endpoint.${domain}`
}

/** The holder in a verified payload, under the profile's key; undefined: not such a token. */
export function endpointTokenHolder(
  claims: JwtClaims,
  names: NamesProfile,
): EndpointTokenHolder | undefined {
  if (!claims.aud.includes(endpointAudience(names))) return undefined
  const holder = claims[names.domain]
  if (!isObject(holder)) return undefined
  const { uid, name, kind, gen, scope } = holder
  if (typeof uid !== 'string' || typeof name !== 'string') return undefined
  if (typeof kind !== 'string' || (typeof gen !== 'number' && typeof gen !== 'string'))
    return undefined
  return { uid, name, kind, gen, ...(isObject(scope) ? { scope } : {}) }
}
