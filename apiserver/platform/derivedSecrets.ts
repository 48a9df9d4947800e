import { createHmac } from 'node:crypto'
import type { SecretKeeper } from '../runtime/files/secretFile.ts'
import type { Random } from '../meta/clock.ts'

const secretBytes = 32

/** Secrets derived from one stored secret: stable for a purpose, and independent of each other. */
export class DerivedSecrets {
  readonly #keeper: SecretKeeper
  readonly #random: Random
  #root: Promise<string> | undefined

  constructor(keeper: SecretKeeper, random: Random) {
    this.#keeper = keeper
    this.#random = random
  }

  /** The secret of a purpose, 64 characters in hexadecimal. */
  async secretFor(purpose: string): Promise<string> {
    this.#root ??= this.#load()
    const loading = this.#root
    try {
      return createHmac('sha256', await loading)
        .update(purpose)
        .digest('hex')
    } catch (error) {
      // A failure is not cached: the next request retries.
      if (this.#root === loading) this.#root = undefined
      throw error
    }
  }

  async #load(): Promise<string> {
    const kept = (await this.#keeper.read())?.trim()
    if (kept !== undefined && kept !== '') return kept
    const made = this.#random.bytes(secretBytes).toString('hex')
    return (await this.#keeper.replace(undefined, `${made}\n`)).trim()
  }
}
