import { isDeepStrictEqual } from 'node:util'
import { isRestricting } from '../../../authorization/scope/accessKeyScope.ts'
import { derivedScope } from '../../../authorization/scope/derivedScope.ts'
import { identityGroups, superuserGroups } from '../../../authorization/superusers.ts'
import { isTokenType } from '../../../authentication/accessKeys/tokenGeneration.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../../meta/types.ts'
import type { AccessKeySpec } from './accessKeySpec.ts'

/** Makes the caller the owner of a key without one. Changes `spec`. */
export function fillKeyOwner(spec: AccessKeySpec, user: UserInfo, names: NamesProfile): void {
  if (isGiven(spec.user) || isGiven(spec.team)) return
  if (isGiven(spec.subject) && spec.subject !== user.name) return
  const { user: ownUser, team } = callerOf(user, names)
  if (ownUser !== undefined) spec.user = ownUser
  else if (team !== undefined) spec.team = team
}

/** The user and team of the caller, from its credential or its groups. */
function callerOf(
  { credential, groups }: UserInfo,
  { platform }: NamesProfile,
): { user?: string; team?: string } {
  if (credential?.user !== undefined) return { user: credential.user }
  if (credential?.team !== undefined) return { team: credential.team }
  const prefix = `${platform}:user:`
  const own = groups.find((group) => group.startsWith(prefix) && group !== `${prefix}*`)
  return own === undefined ? {} : { user: own.slice(prefix.length) }
}

/**
 * Reason why the caller may not write this key; undefined: allowed. A key cannot have more rights than its creator,
 * except for superusers; and a key created under a scope inherits that scope.
 * Source: platform facts 1.4, 7.2; specification, "Scope".
 */
export function keyWriteRefusal(
  next: AccessKeySpec,
  old: AccessKeySpec | undefined,
  user: UserInfo,
  names: NamesProfile,
): string | undefined {
  if (old !== undefined && !changesRights(next, old)) return undefined
  const ofScope = scopeRefusal(next, old, user, names)
  if (ofScope !== undefined) return ofScope
  if (superuserGroups(names).some((group) => user.groups.includes(group))) return undefined
  if (changesLogin(next, old)) return 'only the platform says who logged in'
  const wanted = { ...next }
  if (old === undefined) fillKeyOwner(wanted, user, names)
  return ownerRefusal(wanted, user, names) ?? giftRefusal(wanted, user) ?? typeRefusal(next, old)
}

function changesRights(next: AccessKeySpec, old: AccessKeySpec): boolean {
  const keepsKey = !isGiven(next.key) || next.key === old.key
  return !keepsKey || !isDeepStrictEqual(rights(next), rights(old)) || changesLogin(next, old)
}

/** Reports whether a write changes the login data used to query the login's provider again. */
function changesLogin(next: AccessKeySpec, old: AccessKeySpec | undefined): boolean {
  // Clients never see connector data, so they never send it back.
  if (isGiven(next.identity?.connectorData)) return true
  return !isDeepStrictEqual(login(next), login(old ?? {}))
}

function login({ identity, identityRefresh, oidcProvider, oidcLogin }: AccessKeySpec): unknown {
  return [identity ?? {}, identityRefresh ?? '', oidcProvider ?? {}, oidcLogin ?? {}]
}

function rights({ user, team, subject, groups, scope, type }: AccessKeySpec): unknown {
  return [user ?? '', team ?? '', subject ?? '', groups ?? [], scope ?? {}, type ?? '']
}

function scopeRefusal(
  next: AccessKeySpec,
  old: AccessKeySpec | undefined,
  user: UserInfo,
  names: NamesProfile,
): string | undefined {
  const derived = derivedScope(user, next.scope, names)
  if ('refusal' in derived) return derived.refusal
  // A new key inherits its creator's scope; an existing key is not changed implicitly.
  const isWider =
    old !== undefined &&
    derived.scope !== undefined &&
    isRestricting(derived.scope, names) &&
    !isDeepStrictEqual(derived.scope, next.scope)
  return isWider
    ? 'a key without the scope of the credential cannot be changed under it'
    : undefined
}

function ownerRefusal(spec: AccessKeySpec, caller: UserInfo, names: NamesProfile) {
  return isOwnKey(spec, caller, names)
    ? undefined
    : 'access keys can only be created for yourself and for your own teams'
}

/** Reports whether a key belongs to the caller or one of its teams. */
export function isOwnKey(
  { user = '', team = '' }: AccessKeySpec,
  { groups }: UserInfo,
  names: NamesProfile,
): boolean {
  const of = identityGroups(names)
  const own = user === '' ? team : user
  // The groups of `*` include every user, so they identify none.
  if (own === '' || own === '*') return false
  return groups.includes(user === '' ? of.team(team) : of.user(user))
}

function giftRefusal({ groups = [], subject }: AccessKeySpec, caller: UserInfo) {
  if (isGiven(subject) && subject !== caller.name)
    return `the subject ${JSON.stringify(subject)} is not the caller's own`
  const foreign = groups.find((group) => !caller.groups.includes(group))
  return foreign === undefined
    ? undefined
    : `the group ${JSON.stringify(foreign)} is none of the caller's own`
}

/**
 * Refusal of a key type: only logins create login keys, and a login key cannot become a key that
 * outlives its login.
 */
function typeRefusal(next: AccessKeySpec, old: AccessKeySpec | undefined): string | undefined {
  const { type = '' } = next
  if (isTokenType(type) && type !== old?.type)
    return `keys of type ${type} are created by logins only`
  const wasToken = old !== undefined && isTokenType(old.type ?? '')
  return wasToken && next.type !== old.type
    ? 'the type of a key created by a login cannot change'
    : undefined
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== ''
}
