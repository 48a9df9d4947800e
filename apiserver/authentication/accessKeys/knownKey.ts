import type { ApiObject, ObjectMeta, UserInfo } from '../../meta/types.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { AccessKeyLifetime, AccessKeyLimits } from './accessKeyLifetime.ts'
import { givenGroups, type Identity } from '../identity.ts'
import { accountAnnotation } from './keyAccount.ts'
import { serviceAccountNamed } from '../tokens/serviceAccountClaims.ts'
import {
  generationAnnotation,
  isTokenType,
  notedGeneration,
  type TokenGeneration,
} from './tokenGeneration.ts'

/** A stored access key as cached by authentication. */
export interface KnownKey extends AccessKeyLifetime {
  name: string
  uid: string
  digest: string
  user: string | undefined
  team: string | undefined
  subject: string | undefined
  /** True if `subject` names a service account. */
  isAccount: boolean
  groups: readonly string[]
  isDisabled: boolean
  scope: Record<string, unknown> | undefined
  /**
   * The token generation in which the key was created, if a change of the user's generation revokes
   * the key.
   */
  tokenGeneration: TokenGeneration | undefined
  /** The uid of the user, team or service account that the key was created for, if known. */
  ownerUid: string | undefined
  /**
   * The last identity and user of the key, and the version of the identities that they come from.
   */
  identity: Identity | undefined
  info: UserInfo | undefined
  infoAt: number
  /** Expiry under the limits in `endUnder`. */
  end: number
  endUnder: AccessKeyLimits | undefined
  /** Time of the last notification about use of the key. */
  toldAt: number
}

interface KeySpec {
  key?: string
  user?: string
  team?: string
  subject?: string
  groups?: string[]
  disabled?: boolean
  ttl?: number
  ttlAfterLastActivity?: boolean
  type?: string
  scope?: Record<string, unknown>
}

/** Reads a key object; undefined: the object has no key, or is being deleted. */
export function knownKey(
  name: string,
  object: ApiObject,
  names: NamesProfile,
): KnownKey | undefined {
  // Guaranteed by the schema of the kind.
  const spec = (object['spec'] ?? {}) as KeySpec
  const { metadata } = object
  if (!isGiven(spec.key) || metadata.deletionTimestamp !== undefined) return undefined
  const user = emptyIsNone(spec.user)
  const team = emptyIsNone(spec.team)
  const createdAt = Date.parse(metadata.creationTimestamp ?? '')
  // A single literal, because merged objects are slower to read, and every request reads these.
  return {
    name,
    uid: metadata.uid ?? '',
    digest: spec.key,
    type: spec.type ?? '',
    user,
    team,
    subject: emptyIsNone(spec.subject),
    isAccount: isForAccount(spec),
    groups: givenGroups({ groups: spec.groups ?? [] }, names),
    scope: spec.scope,
    isDisabled: spec.disabled === true,
    createdAt,
    lastActivityAt: lastActivityOf(object) ?? createdAt,
    ttlMs: (spec.ttl ?? 0) * 1000,
    ttlAfterLastActivity: spec.ttlAfterLastActivity === true,
    tokenGeneration: generationOf(spec, metadata.annotations?.[generationAnnotation(names)]),
    ownerUid: ownerUid(metadata, spec, names),
    identity: undefined,
    info: undefined,
    infoAt: -1,
    end: Infinity,
    endUnder: undefined,
    toldAt: -Infinity,
  }
}

function lastActivityOf({ status }: ApiObject): number | undefined {
  // Guaranteed by the schema of the kind.
  const { lastActivity } = (status ?? {}) as { lastActivity?: string }
  return isGiven(lastActivity) ? Date.parse(lastActivity) : undefined
}

function generationOf({ type = '' }: KeySpec, noted?: string): TokenGeneration | undefined {
  return isTokenType(type) ? notedGeneration(noted) : undefined
}

function isForAccount({ user, team, subject = '' }: KeySpec): boolean {
  return !isGiven(user) && !isGiven(team) && serviceAccountNamed(subject) !== undefined
}

function controllerUid({ ownerReferences }: ObjectMeta, name: string | undefined) {
  return ownerReferences?.find((owner) => owner.controller === true && owner.name === name)?.uid
}

function ownerUid(metadata: ObjectMeta, spec: KeySpec, names: NamesProfile): string | undefined {
  if (isForAccount(spec)) return metadata.annotations?.[accountAnnotation(names)]
  return controllerUid(metadata, emptyIsNone(spec.user) ?? emptyIsNone(spec.team))
}

/** The user of a request with this key. */
export function userInfo(key: KnownKey, identity: Identity): UserInfo {
  const { groups, user, team, scope } = key
  return {
    name: identity.name,
    uid: identity.uid,
    groups: [...new Set([...identity.groups, ...groups])],
    extra: identity.extra,
    credential: {
      accessKey: key.name,
      accessKeyType: key.type,
      ...(user === undefined ? {} : { user }),
      ...(team === undefined || user !== undefined ? {} : { team }),
      ...(scope === undefined ? {} : { scope }),
    },
  }
}

/** Orders keys by age, since the older of two keys with the same value is used. */
export function byAge(a: KnownKey, b: KnownKey): number {
  return a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1)
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== ''
}

function emptyIsNone(text: string | undefined): string | undefined {
  return isGiven(text) ? text : undefined
}

/** Reports whether both authenticate the same user with the same rights. */
export function isSameKey(a: KnownKey, b: KnownKey): boolean {
  return rights(a) === rights(b)
}

function rights({ uid, digest, user, team, subject, scope }: KnownKey): string {
  return JSON.stringify([uid, digest, user, team, subject, scope])
}
