import type { NamesProfile } from '../meta/names/namesProfile.ts'
import { privilegedGroup } from './privilegedGroup.ts'

/** Groups whose members have all rights. Source: platform facts 7.2. */
export function superuserGroups({ platform }: NamesProfile): string[] {
  return [privilegedGroup, `${platform}:admins`]
}

/**
 * Groups that connect an identity to its User and Team objects. Source: platform facts 4, rule 6.
 */
export interface IdentityGroups {
  /** The group of a user; `*`: of every user. */
  user(name: string): string
  /** The group of a team; `*`: of the members of any team. */
  team(name: string): string
}

export function identityGroups({ platform }: NamesProfile): IdentityGroups {
  return {
    user: (name) => `${platform}:user:${name}`,
    team: (name) => `${platform}:team:${name}`,
  }
}
