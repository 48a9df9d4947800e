/** Expected seal of an object after a write; undefined after a deletion. */
export type Outcome = string | undefined

/** Object as shown by the server. */
export interface Shown {
  seal: Outcome
  /** Revision of an existing object. */
  revision: number
}

interface Written {
  name: string
  seal: string
}

interface Account {
  /** Newest acknowledged state. */
  known: Shown
  /** Writes without a response: each may have succeeded or not. */
  open: Set<Outcome>
}

/** State known to the writers. Each name belongs to one writer, which waits for each response. */
export class Ledger {
  readonly #accounts = new Map<string, Account>()
  /** Highest revision in any response, list or event. */
  highest = 0
  /** Number of acknowledged writes, including deletions. */
  answers = 0
  /** Creates and updates that takeAcknowledged() has not returned yet. */
  readonly #acknowledged = new Map<number, Written>()

  known(name: string): Shown {
    return this.#account(name).known
  }

  sent(name: string, outcome: Outcome): void {
    this.#account(name).open.add(outcome)
  }

  /** Records that the server has acknowledged the write. */
  answered(name: string, shown: Shown): void {
    const account = this.#account(name)
    this.answers++
    account.open.delete(shown.seal)
    account.known = shown
    this.saw(shown.revision)
    if (shown.seal !== undefined) this.#acknowledged.set(shown.revision, { name, seal: shown.seal })
  }

  /** Records a write of the test itself, which checks its revision before it calls saw(). */
  adopt(name: string, shown: Shown): void {
    this.#account(name).known = shown
  }

  saw(revision: number): void {
    this.highest = Math.max(this.highest, revision)
  }

  /**
   * Compares the server's state after a restart with the acknowledged writes, and continues from
   * it. Returns the differences.
   */
  settle(found: ReadonlyMap<string, Shown>): string[] {
    const strangers = [...found.keys()].filter((name) => !this.#accounts.has(name))
    const wrong = strangers.map((name) => `${name} is there and was never written`)
    for (const [name, account] of this.#accounts) {
      const shown = found.get(name) ?? { seal: undefined, revision: account.known.revision }
      wrong.push(...faults(name, account, shown))
      account.known = shown
      account.open.clear()
    }
    return wrong
  }

  /** Acknowledged creates and updates since the last call, by revision. */
  takeAcknowledged(): ReadonlyMap<number, Written> {
    const taken = new Map(this.#acknowledged)
    this.#acknowledged.clear()
    return taken
  }

  #account(name: string): Account {
    const account = this.#accounts.get(name) ?? {
      known: { seal: undefined, revision: 0 },
      open: new Set<Outcome>(),
    }
    this.#accounts.set(name, account)
    return account
  }
}

function faults(name: string, { known, open }: Account, shown: Shown): string[] {
  const isKnown = shown.seal === known.seal && shown.revision === known.revision
  if (isKnown) return []
  if (!open.has(shown.seal)) {
    return [`${name} is ${text(shown)}, acknowledged was ${text(known)}`]
  }
  const isNewer = shown.seal === undefined || shown.revision > known.revision
  return isNewer ? [] : [`${name} went back: ${text(shown)} after ${text(known)}`]
}

function text({ seal, revision }: Shown): string {
  return seal === undefined ? 'absent' : `${seal} at ${revision}`
}
