import { tooCostly } from '../functions/handlers.ts'

/** What an evaluation has cost so far. */
export class CostMeter {
  readonly #limit: number
  /** Raised without a trace of where: many rounds of a loop may raise it. */
  readonly #excess = tooCostly()
  #spent = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get spent(): number {
    return this.#spent
  }

  get isExceeded(): boolean {
    return this.#spent > this.#limit
  }

  reset(): void {
    this.#spent = 0
  }

  /** @throws Error when the evaluation has cost more than it may; operators that take errors may go on, and meet it
   *  again. */
  add(cost: number): void {
    this.#spent += cost
    this.check()
  }

  check(): void {
    if (this.isExceeded) throw this.#excess
  }
}
