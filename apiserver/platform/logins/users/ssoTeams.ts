import { managementResource } from '../../../apis/management/managementKind.ts'
import { hasReason } from '../../../meta/status.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { systemContext } from '../../../registry/systemContext.ts'
import type { LoginServices } from '../loginServices.ts'
import { nameLike, otherNameLike } from './objectNames.ts'
import type { UserDirectory } from './userDirectory.ts'

/**
 * Creates a team for each group without one. An existing team of that name without the group is not
 * changed: a provider does not choose its members.
 */
export class SsoTeams {
  readonly #services: LoginServices
  readonly #directory: UserDirectory

  constructor(services: LoginServices, directory: UserDirectory) {
    this.#services = services
    this.#directory = directory
  }

  async ensure(groups: readonly string[]): Promise<void> {
    const missing = groups.filter((group) => !this.#directory.hasTeamFor(group))
    await Promise.all(missing.map((group) => this.#create(group)))
  }

  async #create(group: string): Promise<void> {
    const { names, access } = this.#services
    const teams = access.store(managementResource(names, 'teams'))
    const { kind } = teams.resource
    const spec = { displayName: group, username: group, groups: [group] }
    for (const name of [nameLike(group, group), otherNameLike(group, group)]) {
      const object: ApiObject = { kind, apiVersion: teams.apiVersion, metadata: { name }, spec }
      try {
        await teams.create(object, systemContext())
        return
      } catch (error) {
        if (!hasReason(error, 'AlreadyExists')) throw error
        // Another login created it in the meantime.
        if (this.#directory.hasTeamFor(group)) return
      }
    }
  }
}
