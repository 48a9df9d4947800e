import type { Clock } from '../meta/clock.ts'
import type { ApiObject } from '../meta/types.ts'
import { ignoreNotFound } from '../registry/ignoring.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'
import { WorkQueue } from '../runtime/workQueue.ts'

export interface UserTeamsOptions {
  /** Store of users, whose strategy sets `status.teams` on every write. */
  users: Store
  teams: Store
  clock: Clock
  /** Called with errors that will be retried. */
  report: (error: unknown) => void
}

/** Number of users examined in a turn of the event loop. */
const looksPerTurn = 1_000

interface Members {
  users: ReadonlySet<string>
  groups: ReadonlySet<string>
}

/**
 * Updates `status.teams` of a team's former and current members, by name or by group, when the team
 * changes. Source: platform facts 1.3.
 */
export class UserTeams {
  readonly #options: UserTeamsOptions
  readonly #queue: WorkQueue
  #stopFollowing: (() => void) | undefined

  constructor(options: UserTeamsOptions) {
    this.#options = options
    const { clock, report } = options
    this.#queue = new WorkQueue({
      clock,
      report,
      concurrency: 4,
      work: (name) => this.#write(name),
    })
  }

  /** Follows teams, and checks all of them once. */
  async start(): Promise<void> {
    const { users, teams } = this.#options
    await Promise.all([users.cache.warm(), teams.cache.warm()])
    this.#stopFollowing = teams.cache.onChange(({ entry, previous }) => {
      this.#changed(membersOf(previous?.object()), membersOf(entry?.object()))
    })
    for (const entry of teams.cache.all()) this.#changed(none, membersOf(entry.object()))
  }

  stop(): void {
    this.#stopFollowing?.()
    this.#stopFollowing = undefined
    this.#queue.stop()
  }

  #changed(before: Members, after: Members): void {
    for (const name of difference(before.users, after.users)) this.#queue.add(name)
    const groups = difference(before.groups, after.groups)
    if (groups.length > 0) void this.#checkGroups(new Set(groups)).catch(this.#options.report)
  }

  async #checkGroups(groups: ReadonlySet<string>): Promise<void> {
    let looked = 0
    for (const entry of [...this.#options.users.cache.all()]) {
      if (++looked % looksPerTurn === 0) await new Promise(setImmediate)
      if (this.#stopFollowing === undefined) return
      const { metadata, spec } = entry.object()
      // Guaranteed by the schema of users.
      const { groups: own = [], ssoGroups = [] } = (spec ?? {}) as Record<string, string[]>
      if ([...own, ...ssoGroups].some((group) => groups.has(group))) {
        this.#queue.add(metadata.name ?? '')
      }
    }
  }

  /** Writes a user. Nothing is written if nothing changes. */
  async #write(name: string): Promise<void> {
    const request = { transform: (old: ApiObject) => old }
    await this.#options.users
      .update({ namespace: '', name }, request, systemContext())
      .catch(ignoreNotFound)
  }
}

const none: Members = { users: new Set(), groups: new Set() }

function membersOf(team: ApiObject | undefined): Members {
  // Guaranteed by the schema of teams.
  const { users = [], groups = [] } = (team?.['spec'] ?? {}) as Record<string, string[]>
  return { users: new Set(users), groups: new Set(groups) }
}

function difference(one: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  return [
    ...[...one].filter((value) => !other.has(value)),
    ...[...other].filter((value) => !one.has(value)),
  ]
}
