import { Pace } from '../../apiserver/meta/waiting/pace.ts'

/** Maximum number of values that the patches of one document match. */
const maxMatches = 100_000
/** Maximum number of values in observed matches, with their members. */
const maxObserved = 50_000

/**
 * Work of applying the patches of one document. Patches and values multiply, and a user writes both, so the work is
 * bounded in total and done in short turns.
 */
export class PatchWork {
  readonly #pace = new Pace()
  #matches = 0
  #observed = 0

  /** Counts matches of a patch. @throws RangeError beyond the limit. */
  match(count: number): void {
    this.#matches += count
    if (this.#matches > maxMatches) throw tooMany('match', maxMatches)
  }

  /** Counts values that an observer keeps. @throws RangeError beyond the limit. */
  observe(values: readonly unknown[]): void {
    const waiting: unknown[] = [...values]
    while (waiting.length > 0) {
      const value = waiting.pop()
      if (++this.#observed > maxObserved) throw tooMany('show', maxObserved)
      if (typeof value !== 'object' || value === null) continue
      for (const member of Object.values(value)) waiting.push(member)
    }
  }

  /** Lets others work between two steps. */
  rest(): Promise<void> {
    return this.#pace.rest()
  }
}

function tooMany(verb: string, limit: number): RangeError {
  return new RangeError(`the patches of one object ${verb} more than ${limit} values`)
}
