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

/** A stored access key as authentication keeps it. */
export interface KnownKey extends AccessKeyLifetime {
  name: string
  uid: string
  digest: string
  user: string | undefined
  team: string | undefined
  subject: string | undefined
  /** It is for a service account, which `subject` names. */
  isAccount: boolean
  groups: readonly string[]
  isDisabled: boolean
  scope: Record<string, unknown> | undefined
  /** For a key that a change of the user's token generation ends: the one it was made under. */
  tokenGeneration: TokenGeneration | undefined
  /** The uid of the user, team or service account it was made for, where it is known. */
  ownerUid: string | undefined
  /** Whom the key stood for last, and as what, at which version of the identities. */
  identity: Identity | undefined
  info: UserInfo | undefined
  infoAt: number
  /** When it ends, under these limits. */
  end: number
  endUnder: AccessKeyLimits | undefined
  /** When somebody was told of its use. */
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

/** Reads a key object; undefined: it has no key, or is being deleted. */
export function knownKey(
  name: string,
  object: ApiObject,
  names: NamesProfile,
): KnownKey | undefined {
  // The schema of the kind says what its spec and status hold.
  const spec = (object['spec'] ?? {}) as KeySpec
  const { metadata } = object
  if (!isGiven(spec.key) || metadata.deletionTimestamp !== undefined) return undefined
  const user = emptyIsNone(spec.user)
  const team = emptyIsNone(spec.team)
  const createdAt = Date.parse(metadata.creationTimestamp ?? '')
  // One literal: objects that are put together of others are slower to read, and these are read at every request.
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
  // The schema of the kind says what its status holds.
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

/** Who the key stands for, as requests see it. */
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

/** Of two keys with the same value the older one counts. */
export function byAge(a: KnownKey, b: KnownKey): number {
  return a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1)
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== ''
}

function emptyIsNone(text: string | undefined): string | undefined {
  return isGiven(text) ? text : undefined
}

/** Whether both let in the same, to the same. */
export function isSameKey(a: KnownKey, b: KnownKey): boolean {
  return rights(a) === rights(b)
}

function rights({ uid, digest, user, team, subject, scope }: KnownKey): string {
  return JSON.stringify([uid, digest, user, team, subject, scope])
}
