import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import { forbiddenLogin } from '../loginRefusals.ts'

/** Maximum number of groups; more are a mistake at the provider, and would slow every request of the user down. */
const maxGroups = 1000

/**
 * The groups of a provider to keep with a user: those that match a filter, except groups that grant rights by their
 * name alone. @throws StatusError Forbidden for too many.
 */
export function keptGroups(
  groups: readonly string[],
  filters: readonly string[],
  { platform }: NamesProfile,
): string[] {
  const patterns = filters.map((filter) => new RegExp(filter))
  const kept = [...new Set(groups)].filter(
    (group) =>
      group !== '' &&
      !group.startsWith('system:') &&
      !group.startsWith(`${platform}:`) &&
      (patterns.length === 0 || patterns.some((pattern) => pattern.test(group))),
  )
  if (kept.length > maxGroups) {
    throw forbiddenLogin(
      `the provider sent ${kept.length} groups, at most ${maxGroups} are kept: an administrator can filter them`,
    )
  }
  return kept.sort()
}

/**
 * Reports whether a user with these groups may log in. Empty `allowed`: every user may. A group without a name never
 * matches.
 */
export function isAllowed(groups: readonly string[], allowed: readonly string[]): boolean {
  return allowed.length === 0 || allowed.some((group) => group !== '' && groups.includes(group))
}
