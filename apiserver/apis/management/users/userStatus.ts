import { givenGroups, type UserIdentitySpec } from '../../../authentication/identity.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { Platform } from '../platform.ts'

/** `User.status`: the user's teams, sorted. Source: platform facts 1.3. */
export function userStatus(
  user: ApiObject,
  platform: Pick<Platform, 'names' | 'teamsWith'>,
): { teams?: string[] } {
  // Guaranteed by the schema of users.
  const spec: UserIdentitySpec = user['spec'] ?? {}
  const teams = platform.teamsWith(user.metadata.name ?? '', givenGroups(spec, platform.names))
  return teams.length === 0 ? {} : { teams: [...teams] }
}
