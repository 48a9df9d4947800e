import { Histogram } from '../meta/collections/histogram.ts'

const seconds = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

export function filterSeconds(): Histogram {
  return new Histogram(seconds)
}

/** A filter with recorded outcomes and durations. */
export type CountedFilter = 'authentication' | 'authorization'

/**
 * Counts of filters' outcomes and their durations, as plain numbers.
 * Source: reference 6.8.
 */
export class FilterTallies {
  /** Durations by filter and outcome. */
  readonly outcomes: Readonly<Record<CountedFilter, Map<string, Histogram>>> = {
    authentication: new Map<string, Histogram>(),
    authorization: new Map<string, Histogram>(),
  }
  /** Authenticated requests by category of user name. */
  readonly users = new Map<string, number>()
  /** Outcomes of handlers that finished after their deadline. */
  readonly late = { ok: 0, error: 0 }
  readonly #nowMs: () => number

  /** @param nowMs a monotonic clock. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  began(): number {
    return this.#nowMs()
  }

  /** Counts an outcome. @returns the duration in milliseconds. */
  ended(filter: CountedFilter, began: number, outcome: string): number {
    const outcomes = this.outcomes[filter]
    let found = outcomes.get(outcome)
    if (found === undefined) outcomes.set(outcome, (found = filterSeconds()))
    const ms = this.#nowMs() - began
    found.add(ms / 1000)
    return ms
  }

  user(name: string): void {
    const sort = sortOf(name)
    this.users.set(sort, (this.users.get(sort) ?? 0) + 1)
  }
}

/** Category of a user name: labels must have few values, and names are unlimited. */
function sortOf(name: string): string {
  if (name === 'admin') return name
  return name.includes('@') ? 'email_id' : 'other'
}
