import { CostExceeded } from './costExceeded.ts'

/**
 * Maximum number of value parts that one evaluation visits. A value with shared parts can have far
 * more parts than were created: thirty nested lists of two items have a billion. No object in a
 * request has this many.
 */
const mostVisits = 500_000

/**
 * Number of visits per evaluation that are free of charge, apart from the cost of its functions.
 */
const freeVisits = 10_000

let [depth, left] = [0, mostVisits]

/**
 * Counts parts of a value, or units of 16 characters of a created string, as visited. @throws
 * CostExceeded.
 */
export function visit(parts = 1): void {
  left -= parts
  if (left < 0) throw new CostExceeded()
}

/** Counts a created string. @throws CostExceeded. */
export function visitText(text: string): string {
  visit(1 + (text.length >> 4))
  return text
}

/**
 * Runs work that visits values; inside an evaluation it shares the limit of the evaluation. @throws
 * CostExceeded.
 */
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
 * Runs an evaluation, and charges its visits beyond `freeVisits`, so that a common budget also
 * limits them. @throws CostExceeded.
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
