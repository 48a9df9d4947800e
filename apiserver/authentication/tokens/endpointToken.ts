import { isObject } from '../../meta/json/isObject.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { JwtClaims } from './jwt.ts'
import type { TokenGeneration } from '../accessKeys/tokenGeneration.ts'

/** Whom a token for direct cluster endpoints stands for. Source: platform facts 1.5. */
export interface EndpointTokenHolder {
  /** Of the object. */
  uid: string
  /** Of the User or Team object; of an administrator without one, the user name. */
  name: string
  kind: string
  /** The user's `tokenGeneration` when the token was made. */
  gen: TokenGeneration
  /** Absent: no restriction. */
  scope?: Record<string, unknown>
}

/** The kinds that hold tokens. */
export function holderKinds({ platform }: NamesProfile) {
  const admin = `${platform.charAt(0).toUpperCase()}${platform.slice(1)}Admin`
  return { user: 'User', team: 'Team', admin } as const
}

/** The audience of the tokens: no other token is taken for one. */
export function endpointAudience({ domain }: NamesProfile): string {
  return `direct-cluster-endpoint.${domain}`
}

/** The holder in a verified payload, under the key that the profile names; undefined: it is another kind of token. */
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
