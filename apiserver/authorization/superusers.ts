import type { NamesProfile } from '../meta/names/namesProfile.ts'
import { privilegedGroup } from './privilegedGroup.ts'

/** The groups whose members may do everything. Source: platform facts 7.2. */
export function superuserGroups({ platform }: NamesProfile): string[] {
  return [privilegedGroup, `${platform}:admins`]
}

/** The groups that say which User and Team objects an identity is of. Source: platform facts 4, rule 6. */
export interface IdentityGroups {
  /** Of a user; `*` for every user. */
  user(name: string): string
  /** Of a team; `*` for the members of any. */
  team(name: string): string
}

export function identityGroups({ platform }: NamesProfile): IdentityGroups {
  return {
    user: (name) => `${platform}:user:${name}`,
    team: (name) => `${platform}:team:${name}`,
  }
}
