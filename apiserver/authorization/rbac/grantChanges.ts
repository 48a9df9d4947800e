import type { UserInfo } from '../../meta/types.ts'
import type { PolicyRule } from './policyRule.ts'

/** What one binding gave or gives its subjects, before or after a change. */
export interface GrantChange {
  /** Where it holds; empty: everywhere. */
  namespace: string
  /** As subjectKeys() gives them. */
  subjects: Iterable<string>
  rules: readonly PolicyRule[]
}

/** Told of changes of what some subjects were given. Neither may throw. */
export interface GrantFollower {
  /** Asked before a change that may concern a subject of it. */
  before(namespace: string, rules: readonly PolicyRule[]): void
  /** The change is in force. */
  after(): void
}

interface Logged extends GrantChange {
  revision: number
}

const maxLogged = 8_192

/** Who is to be told of a change of roles or bindings, and the newest of these changes. Only those who are subjects of
 *  a binding hear of it, so roles may change all the time while thousands follow. */
export class GrantChanges {
  readonly #followers = new Map<string, Set<GrantFollower>>()
  readonly #log: Logged[] = []
  #floor: number

  constructor(floor: number) {
    this.#floor = floor
  }

  /** Tells `follower` of what concerns `user`. Gives the function that ends it. */
  follow(user: UserInfo, follower: GrantFollower): () => void {
    const subjects = subjectKeys(user)
    for (const subject of subjects) {
      const others = this.#followers.get(subject)
      if (others === undefined) this.#followers.set(subject, new Set([follower]))
      else others.add(follower)
    }
    return () => {
      for (const subject of subjects) {
        const others = this.#followers.get(subject)
        others?.delete(follower)
        if (others?.size === 0) this.#followers.delete(subject)
      }
    }
  }

  /** Puts a change in force, which comes with a write at `revision`. */
  make(revision: number, changes: readonly GrantChange[], apply: () => void): void {
    const told = new Set<GrantFollower>()
    for (const change of changes) {
      this.#remember({ ...change, revision })
      for (const follower of this.#concerned(change)) {
        follower.before(change.namespace, change.rules)
        told.add(follower)
      }
    }
    apply()
    for (const follower of told) follower.after()
  }

  /** Whether a binding of the user changed after `revision` in a rule that `concerns` picks; also where that is no
   *  longer known. */
  concernedSince(
    revision: number,
    user: UserInfo,
    concerns: (namespace: string, rule: PolicyRule) => boolean,
  ): boolean {
    if (revision < this.#floor) return true
    const own = new Set(subjectKeys(user))
    for (let at = this.#log.length - 1; at >= 0; at--) {
      const change = this.#log[at]
      if (change === undefined || change.revision <= revision) return false
      if (!some(change.subjects, (subject) => own.has(subject))) continue
      if (change.rules.some((rule) => concerns(change.namespace, rule))) return true
    }
    return false
  }

  *#concerned({ subjects }: GrantChange): Iterable<GrantFollower> {
    if (this.#followers.size === 0) return
    for (const subject of subjects) yield* this.#followers.get(subject) ?? []
  }

  #remember(change: Logged): void {
    this.#log.push({ ...change, subjects: [...change.subjects] })
    if (this.#log.length <= maxLogged) return
    const dropped = this.#log.splice(0, maxLogged / 4)
    this.#floor = dropped.at(-1)?.revision ?? this.#floor
  }
}

function some<T>(values: Iterable<T>, isSo: (value: T) => boolean): boolean {
  for (const value of values) if (isSo(value)) return true
  return false
}

/** Names that bindings may know a user by: its own, unless it is empty, and its groups. */
export function subjectKeys({ name, groups }: Pick<UserInfo, 'name' | 'groups'>): string[] {
  const keys = groups.map((group) => `Group ${group}`)
  return name === '' ? keys : [`User ${name}`, ...keys]
}
