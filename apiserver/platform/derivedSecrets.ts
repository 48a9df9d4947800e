import { createHmac } from 'node:crypto'
import type { SecretKeeper } from '../runtime/files/secretFile.ts'
import type { Random } from '../meta/clock.ts'
import { untilDone } from '../meta/waiting/untilDone.ts'

const secretBytes = 32

/** Secrets derived from one stored secret: stable for a purpose, and independent of each other. */
export class DerivedSecrets {
  readonly #keeper: SecretKeeper
  readonly #random: Random
  readonly #root = untilDone(() => this.#load())

  constructor(keeper: SecretKeeper, random: Random) {
    this.#keeper = keeper
    this.#random = random
  }

  /** The secret of a purpose, 64 characters in hexadecimal. */
  async secretFor(purpose: string): Promise<string> {
    return createHmac('sha256', await this.#root())
      .update(purpose)
      .digest('hex')
  }

  async #load(): Promise<string> {
    const kept = (await this.#keeper.read())?.trim()
    if (kept !== undefined && kept !== '') return kept
    const made = this.#random.bytes(secretBytes).toString('hex')
    return (await this.#keeper.replace(undefined, `${made}\n`)).trim()
  }
}
