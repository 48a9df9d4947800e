import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { UserInfo } from '../meta/types.ts'

/** Default roles that are bound to users from the platform. */
export const planeUserRoles: readonly string[] = ['cluster-admin', 'admin', 'edit', 'view']

/** Group, in a plane, of users with a cluster role granted by the platform. */
export function planeUserGroup(names: NamesProfile, role: string): string {
  return `${groupPrefix(names)}${role}`
}

function groupPrefix({ platform }: NamesProfile): string {
  return `${platform}:entrant:`
}

/** User within a plane, with only the group of the cluster role that the platform grants in it. */
export function planeUser(user: UserInfo, role: string, names: NamesProfile): UserInfo {
  const prefix = groupPrefix(names)
  const own = user.groups.filter((group) => !group.startsWith(prefix))
  return { ...user, groups: [...own, planeUserGroup(names, role)] }
}
