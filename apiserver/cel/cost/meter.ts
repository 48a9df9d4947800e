import { CostExceeded } from '../values/costExceeded.ts'

/** Meter of the cost of an evaluation so far. */
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

  /** Adds a cost. @throws CostExceeded if the limit of the evaluation is exceeded. */
  add(cost: number): void {
    this.#spent += cost
    if (this.#spent > this.#limit) throw new CostExceeded()
  }
}
