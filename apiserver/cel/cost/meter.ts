import { CostExceeded } from '../values/costExceeded.ts'

/** Cost of an evaluation so far. */
export class CostMeter {
  readonly #limit: number
  #spent = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get spent(): number {
    return this.#spent
  }

  reset(): void {
    this.#spent = 0
  }

  /** Adds a cost. @throws CostExceeded if the evaluation exceeds its limit. */
  add(cost: number): void {
    this.#spent += cost
    if (this.#spent > this.#limit) throw new CostExceeded()
  }
}
