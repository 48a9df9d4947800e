import { addTo, removeFrom } from '../../meta/collections/setsByKey.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { PolicyRule } from './policyRule.ts'

/** The rights of one binding's subjects before and after a change. */
export interface GrantChange {
  /** Namespace of the rights; empty: all namespaces. */
  namespace: string
  /** Subject keys, as returned by subjectKeys(). */
  subjects: Iterable<string>
  rules: readonly PolicyRule[]
}

/** Receiver of notifications about changed rights. Neither method may throw. */
export interface GrantFollower {
  /** Called before a change that may affect one of the follower's subjects. */
  before(namespace: string, rules: readonly PolicyRule[]): void
  /** Called when the change has taken effect. */
  after(): void
}

interface Logged extends GrantChange {
  revision: number
}

const maxLogged = 8_192

/**
 * Followers of role and binding changes, and the most recent changes. Only followers with an
 * affected subject are notified, so that roles may change frequently even with thousands of
 * followers.
 */
export class GrantChanges {
  readonly #followers = new Map<string, Set<GrantFollower>>()
  readonly #log: Logged[] = []
  #floor: number

  constructor(floor: number) {
    this.#floor = floor
  }

  /** Notifies `follower` of changes for `user`. Returns a function that unsubscribes. */
  follow(user: UserInfo, follower: GrantFollower): () => void {
    const subjects = subjectKeys(user)
    for (const subject of subjects) addTo(this.#followers, subject, follower)
    return () => {
      for (const subject of subjects) removeFrom(this.#followers, subject, follower)
    }
  }

  /** Applies a change that was written at `revision`. */
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

  /**
   * Reports whether a rule selected by `concerns` has changed for the user since `revision`; true
   * if that is no longer known.
   */
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

/** Subject keys that match a user: the name, unless it is empty, and the groups. */
export function subjectKeys({ name, groups }: Pick<UserInfo, 'name' | 'groups'>): string[] {
  const keys = groups.map((group) => `Group ${group}`)
  return name === '' ? keys : [`User ${name}`, ...keys]
}
