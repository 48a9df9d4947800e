const firstMs = 500
const longestMs = 30_000

/** Delays between attempts: 0.5, 1, 2 … at most 30 seconds, each shortened at random by up to a quarter to spread clients. */
export class BackOff {
  readonly #random: () => number
  #failures = 0

  constructor(random: () => number) {
    this.#random = random
  }

  /** Number of failures since the last success. */
  get failures(): number {
    return this.#failures
  }

  /** Delay before the next attempt, in milliseconds. @param atLeastMs minimum requested by the server; 0: none. */
  next(atLeastMs = 0): number {
    const full = Math.min(firstMs * 2 ** this.#failures, longestMs)
    this.#failures++
    return Math.max(atLeastMs, full * (1 - this.#random() / 4))
  }

  succeeded(): void {
    this.#failures = 0
  }
}
