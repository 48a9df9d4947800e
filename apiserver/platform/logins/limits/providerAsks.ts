import { tooManyRequests } from '../../../meta/statusErrors.ts'
import { asking } from '../loginRefusals.ts'

/** Maximum number of concurrent requests per provider, so that a slow one does not block the others. */
const maxWaiting = 100

/** Sends requests to providers on behalf of logins. */
export class ProviderAsks {
  readonly #waiting = new Map<string, number>()

  /** Runs a request. @throws StatusError ServiceUnavailable if the provider fails; TooManyRequests. */
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
