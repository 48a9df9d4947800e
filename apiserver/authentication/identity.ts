import type { NamesProfile } from '../meta/names/namesProfile.ts'
import { tokenGenerationOf, type TokenGeneration } from './accessKeys/tokenGeneration.ts'

/**
 * The identity of a User or Team object. A change of the object, or of a team, creates a new
 * Identity, so equal references mean equal rights.
 */
export interface Identity {
  /** The user name for authorization. */
  name: string
  uid: string
  groups: readonly string[]
  /** Names of the user's teams. */
  teams: readonly string[]
  isDisabled: boolean
  /** `User.spec.tokenGeneration`; 0 if unset. */
  tokenGeneration: TokenGeneration
  /** Additional attributes from `User.spec.extraClaims`, with keys below the platform's domain. */
  extra: Readonly<Record<string, string[]>>
}

/** The part of a User's spec that defines its identity. */
export interface UserIdentitySpec {
  subject?: string
  groups?: string[]
  ssoGroups?: string[]
  disabled?: boolean
  tokenGeneration?: number | bigint
  extraClaims?: Readonly<Record<string, string>>
}

/**
 * The groups that a User object or a key may assign. Groups that identify users and teams are
 * removed, since only the objects themselves assign them.
 */
export function givenGroups(
  { groups = [], ssoGroups = [] }: UserIdentitySpec,
  { platform }: NamesProfile,
): string[] {
  const identities = [`${platform}:user:`, `${platform}:team:`]
  return [...groups, ...ssoGroups].filter(
    (group) => !identities.some((prefix) => group.startsWith(prefix)),
  )
}

/**
 * The identity of a User object that is a member of these teams. Source: platform facts 4, rule 6.
 */
export function userIdentity(
  user: { name: string; uid: string; spec: UserIdentitySpec; teams: readonly string[] },
  names: NamesProfile,
): Identity {
  const { name, uid, spec, teams } = user
  const [userPrefix, teamPrefix] = [`${names.platform}:user:`, `${names.platform}:team:`]
  const own = givenGroups(spec, names)
  const inTeams = teams.length === 0 ? [] : ['*', ...teams].map((team) => teamPrefix + team)
  const { subject = '', disabled, extraClaims = {} } = spec
  return {
    name: subject === '' ? name : subject,
    uid,
    groups: [
      ...new Set([...own, ...everyone(names), `${userPrefix}*`, userPrefix + name, ...inTeams]),
    ],
    teams,
    isDisabled: disabled === true,
    tokenGeneration: tokenGenerationOf(spec.tokenGeneration),
    extra: Object.fromEntries(
      Object.entries(extraClaims).map(([claim, value]) => [
        `claims.${names.domain}/${claim}`,
        [value],
      ]),
    ),
  }
}

/** The identity of a Team object, whose user name differs from those of all users. */
export function teamIdentity(name: string, uid: string, names: NamesProfile): Identity {
  const prefix = `${names.platform}:team:`
  const groups = [...everyone(names), `${prefix}*`, prefix + name]
  return { ...subjectIdentity(prefix + name, uid, names), groups }
}

/** The identity of a subject that is neither a user nor a team. */
export function subjectIdentity(name: string, uid: string, names: NamesProfile): Identity {
  const none = { teams: [], isDisabled: false, tokenGeneration: 0, extra: {} }
  return { name, uid, groups: everyone(names), ...none }
}

function everyone({ platform }: NamesProfile): string[] {
  return ['system:authenticated', `${platform}:authenticated`]
}
