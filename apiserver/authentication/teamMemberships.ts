import { addTo, removeFrom } from '../meta/collections/setsByKey.ts'
import type { ApiObject } from '../meta/types.ts'

interface KnownTeam {
  uid: string
  users: readonly string[]
  groups: readonly string[]
}

/**
 * Existing teams and their members, which are users by name or by one of their groups. Source:
 * platform facts 3.3, "Team".
 */
export class TeamMemberships {
  readonly #teams = new Map<string, KnownTeam>()
  readonly #byUser = new Map<string, Set<string>>()
  readonly #byGroup = new Map<string, Set<string>>()

  /** The uid of a team; undefined: it does not exist. */
  uidOf(team: string): string | undefined {
    return this.#teams.get(team)?.uid
  }

  /** The names of the teams of a user, sorted. */
  teamsOf(user: string, groups: readonly string[]): string[] {
    const found = new Set(this.#byUser.get(user))
    for (const group of groups) {
      for (const team of this.#byGroup.get(group) ?? []) found.add(team)
    }
    return [...found].sort()
  }

  set(name: string, object: ApiObject | undefined): void {
    this.#remove(name)
    if (object === undefined) return
    // Guaranteed by the schema of the kind.
    const { users = [], groups = [] } = (object['spec'] ?? {}) as Partial<KnownTeam>
    this.#teams.set(name, { uid: object.metadata.uid ?? '', users, groups })
    for (const user of users) addTo(this.#byUser, user, name)
    for (const group of groups) addTo(this.#byGroup, group, name)
  }

  #remove(name: string): void {
    const team = this.#teams.get(name)
    if (team === undefined) return
    this.#teams.delete(name)
    for (const user of team.users) removeFrom(this.#byUser, user, name)
    for (const group of team.groups) removeFrom(this.#byGroup, group, name)
  }
}
