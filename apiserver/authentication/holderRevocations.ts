/** Users and teams whose changes can be followed. */
export interface ChangingIdentities {
  /** Calls `listener` after each change, with the name of the changed user; undefined: a team changed. */
  onChange(listener: (change: { user: string | undefined }) => void): void
}

interface Waiting {
  isTaken: () => boolean
  callback: () => void
}

/**
 * Listeners for the invalidation of credentials that are not objects. They become invalid when
 * their user or team is deleted, disabled or replaced.
 */
export class HolderRevocations {
  readonly #waiting = new Map<Waiting, string | undefined>()

  constructor(identities: ChangingIdentities) {
    identities.onChange(({ user }) => this.#look(user))
  }

  /**
   * Calls `callback` once when `isTaken` becomes false, or immediately if it already is. `isTaken`
   * is evaluated when the user of that name, or a team, changes. Returns a function that
   * unsubscribes.
   */
  add(user: string | undefined, { isTaken, callback }: Waiting): () => void {
    if (!isTaken()) {
      callback()
      return () => undefined
    }
    const waiting = { isTaken, callback }
    this.#waiting.set(waiting, user)
    return () => void this.#waiting.delete(waiting)
  }

  /** Checks listeners after a change. Undefined: a team changed, which may affect any user. */
  #look(changed: string | undefined): void {
    for (const [waiting, user] of [...this.#waiting]) {
      if (changed !== undefined && user !== changed) continue
      if (waiting.isTaken()) continue
      this.#waiting.delete(waiting)
      waiting.callback()
    }
  }
}
