import { CostExceeded } from '../functions/row.ts'

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

  /** @throws CostExceeded when the evaluation has cost more than it may. */
  add(cost: number): void {
    this.#spent += cost
    if (this.#spent > this.#limit) throw new CostExceeded()
  }
}
