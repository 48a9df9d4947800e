/** Users and teams that change. */
export interface ChangingIdentities {
  /** Calls `listener` after each change, with the name of the user that changed; undefined: a team did. */
  onChange(listener: (change: { user: string | undefined }) => void): void
}

interface Waiting {
  isTaken: () => boolean
  callback: () => void
}

/** Who is to be told when a credential that is no object ends with its holder: the user or team is gone, disabled or
 *  another one now. */
export class HolderRevocations {
  readonly #waiting = new Map<Waiting, string | undefined>()

  constructor(identities: ChangingIdentities) {
    identities.onChange(({ user }) => this.#look(user))
  }

  /** Calls `callback` once, when `isTaken` no longer holds; at once, where it does not now. It is asked when the user of
   *  that name, or a team, has changed. Gives the function that takes it back. */
  add(user: string | undefined, { isTaken, callback }: Waiting): () => void {
    if (!isTaken()) {
      callback()
      return () => undefined
    }
    const waiting = { isTaken, callback }
    this.#waiting.set(waiting, user)
    return () => void this.#waiting.delete(waiting)
  }

  /** Undefined: a team changed, and with it perhaps any user. */
  #look(changed: string | undefined): void {
    for (const [waiting, user] of [...this.#waiting]) {
      if (changed !== undefined && user !== changed) continue
      if (waiting.isTaken()) continue
      this.#waiting.delete(waiting)
      waiting.callback()
    }
  }
}
