import { CostExceeded } from './costExceeded.ts'

/**
 * Maximum number of parts of values that one evaluation visits. A value whose parts are shared has far more parts than
 * were created: thirty nested lists of two have a billion. No object of a request has as many.
 */
const mostVisits = 500_000

/** Visits of an evaluation that cost nothing besides what its functions cost. */
const freeVisits = 10_000

let [depth, left] = [0, mostVisits]

/** Counts parts of a value, or 16 characters of a string that is created, as visited. @throws CostExceeded. */
export function visit(parts = 1): void {
  left -= parts
  if (left < 0) throw new CostExceeded()
}

/** Counts a string that is created. @throws CostExceeded. */
export function visitText(text: string): string {
  visit(1 + (text.length >> 4))
  return text
}

/** Runs work that visits values; inside of an evaluation it shares the limit of the evaluation. @throws CostExceeded. */
export function visiting<T>(work: () => T): T {
  if (depth === 0) left = mostVisits
  depth++
  try {
    return work()
  } finally {
    depth--
  }
}

/**
 * Runs an evaluation, and charges what it visited beyond `freeVisits`, so that evaluations with a common budget are
 * limited together. @throws CostExceeded.
 */
export function chargedVisits<T>(work: () => T, charge: (parts: number) => void): T {
  return visiting(() => {
    const before = left
    try {
      return work()
    } finally {
      const extra = before - left - freeVisits
      if (extra > 0) charge(extra)
    }
  })
}
