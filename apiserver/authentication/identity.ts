import type { NamesProfile } from '../meta/namesProfile.ts'
import { tokenGenerationOf, type TokenGeneration } from './tokenGeneration.ts'

/** Whom a User or Team object makes. A change of the object, or of a team, makes another Identity: the same one stands
 *  for the same rights. */
export interface Identity {
  /** The user name that authorization sees. */
  name: string
  uid: string
  groups: readonly string[]
  /** Names of the teams of a user. */
  teams: readonly string[]
  isDisabled: boolean
  /** `User.spec.tokenGeneration`; 0 where there is none. */
  tokenGeneration: TokenGeneration
}

/** The part of a User's spec that makes its identity. */
export interface UserIdentitySpec {
  subject?: string
  groups?: string[]
  ssoGroups?: string[]
  disabled?: boolean
  tokenGeneration?: number | bigint
}

/** The groups that a User object gives. */
export function givenGroups({ groups = [], ssoGroups = [] }: UserIdentitySpec): string[] {
  return [...groups, ...ssoGroups]
}

/** Of a User object in these teams. Source: platform facts 4, rule 6. */
export function userIdentity(
  user: { name: string; uid: string; spec: UserIdentitySpec; teams: readonly string[] },
  names: NamesProfile,
): Identity {
  const { name, uid, spec, teams } = user
  const [userPrefix, teamPrefix] = [`${names.platform}:user:`, `${names.platform}:team:`]
  // Only the objects say who is which user and in which team.
  const own = givenGroups(spec).filter(
    (group) => !group.startsWith(userPrefix) && !group.startsWith(teamPrefix),
  )
  const inTeams = teams.length === 0 ? [] : ['*', ...teams].map((team) => teamPrefix + team)
  const { subject = '', disabled } = spec
  return {
    name: subject === '' ? name : subject,
    uid,
    groups: [
      ...new Set([...own, ...everyone(names), `${userPrefix}*`, userPrefix + name, ...inTeams]),
    ],
    teams,
    isDisabled: disabled === true,
    tokenGeneration: tokenGenerationOf(spec.tokenGeneration),
  }
}

/** Of a Team object. It has a name that no user has. */
export function teamIdentity(name: string, uid: string, names: NamesProfile): Identity {
  const prefix = `${names.platform}:team:`
  const groups = [...everyone(names), `${prefix}*`, prefix + name]
  return { ...subjectIdentity(prefix + name, uid, names), groups }
}

/** Of a subject that is neither user nor team. */
export function subjectIdentity(name: string, uid: string, names: NamesProfile): Identity {
  return { name, uid, groups: everyone(names), teams: [], isDisabled: false, tokenGeneration: 0 }
}

function everyone({ platform }: NamesProfile): string[] {
  return ['system:authenticated', `${platform}:authenticated`]
}
