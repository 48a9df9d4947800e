import { tooManyRequests } from '../../meta/statusErrors.ts'
import { asking } from './loginRefusals.ts'

/** So many requests wait for one provider at once: one that is slow does not take the places of all others. */
const maxWaiting = 100

/** Asks providers, for those who log in. */
export class ProviderAsks {
  readonly #waiting = new Map<string, number>()

  /** @throws StatusError ServiceUnavailable where the provider fails; TooManyRequests. */
  async ask<T>(provider: string, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(provider) ?? 0
    if (waiting >= maxWaiting) {
      throw tooManyRequests(`too many logins wait for ${provider}, please try again later`, 5)
    }
    this.#waiting.set(provider, waiting + 1)
    try {
      return await asking(provider, work)
    } finally {
      this.#left(provider)
    }
  }

  #left(provider: string): void {
    const left = (this.#waiting.get(provider) ?? 1) - 1
    if (left === 0) this.#waiting.delete(provider)
    else this.#waiting.set(provider, left)
  }
}
