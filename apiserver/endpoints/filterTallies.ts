import { Histogram } from '../meta/histogram.ts'

const seconds = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

export function filterSeconds(): Histogram {
  return new Histogram(seconds)
}

/** A filter whose time and outcome are counted. */
export type CountedFilter = 'authentication' | 'authorization'

/** How often filters let requests in and how often not, and how long they took, kept as plain numbers.
 *  Source: reference 6.8. */
export class FilterTallies {
  /** By filter, then by outcome. */
  readonly outcomes: Readonly<Record<CountedFilter, Map<string, Histogram>>> = {
    authentication: new Map<string, Histogram>(),
    authorization: new Map<string, Histogram>(),
  }
  /** Authenticated requests by what sort of name their user has. */
  readonly users = new Map<string, number>()
  /** What became of requests that were answered before they were done, because their time was over. */
  readonly late = { ok: 0, error: 0 }
  readonly #nowMs: () => number

  /** `nowMs`: a clock that never goes back. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  began(): number {
    return this.#nowMs()
  }

  ended(filter: CountedFilter, began: number, outcome: string): void {
    const outcomes = this.outcomes[filter]
    let found = outcomes.get(outcome)
    if (found === undefined) outcomes.set(outcome, (found = filterSeconds()))
    found.add((this.#nowMs() - began) / 1000)
  }

  user(name: string): void {
    const sort = sortOf(name)
    this.users.set(sort, (this.users.get(sort) ?? 0) + 1)
  }
}

/** Names are without end, and labels must not be. */
function sortOf(name: string): string {
  if (name === 'admin') return name
  return name.includes('@') ? 'email_id' : 'other'
}
