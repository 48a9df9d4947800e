import { managementResource } from '../../../apis/management/managementKind.ts'
import { StatusError } from '../../../meta/status.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { systemContext } from '../../../registry/systemContext.ts'
import type { LoginServices } from '../loginServices.ts'
import { nameLike, otherNameLike } from './objectNames.ts'
import type { UserDirectory } from './userDirectory.ts'

/** Makes a team for each group that has none. A team that is there and does not name the group stays as it is: its
 *  members are not chosen by a provider. */
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
        if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error
        // Another login made it meanwhile.
        if (this.#directory.hasTeamFor(group)) return
      }
    }
  }
}
