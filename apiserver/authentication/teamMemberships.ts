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
    for (const user of users) add(this.#byUser, user, name)
    for (const group of groups) add(this.#byGroup, group, name)
  }

  #remove(name: string): void {
    const team = this.#teams.get(name)
    if (team === undefined) return
    this.#teams.delete(name)
    for (const user of team.users) this.#byUser.get(user)?.delete(name)
    for (const group of team.groups) this.#byGroup.get(group)?.delete(name)
  }
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([value]))
  else set.add(value)
}
