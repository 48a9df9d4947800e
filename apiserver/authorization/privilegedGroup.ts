/** The group that has all rights. Source: reference 7.7. */
export const privilegedGroup = 'system:masters'

/** Reports whether the user's groups alone allow every request. */
export function isPrivileged({ groups }: { groups: readonly string[] }): boolean {
  return groups.includes(privilegedGroup)
}
