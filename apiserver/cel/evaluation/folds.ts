import type { Fold } from '../syntax/expr.ts'
import { itemsOf } from '../values/lists.ts'
import { isMapping } from '../values/mapping.ts'
import { typeNameOf } from '../values/kinds.ts'
import { guarded } from './failures.ts'
import { Frame } from './frame.ts'
import type { Step } from './step.ts'

export interface FoldSteps {
  range: Step
  initial: Step
  condition: Step
  step: Step
  outcome: Step
}

/**
 * Runs a loop while its condition is true. A failure is kept in the accumulator until it is read.
 */
export function foldStep({ variables, result }: Fold, steps: FoldSteps): Step {
  const { range, initial, condition, step, outcome } = steps
  return {
    run: (frame) => {
      const rounds = roundsOf(range.run(frame), variables.length)
      const inner = new Frame([[result, guarded(() => initial.run(frame))]], frame)
      for (const round of rounds) {
        variables.forEach((name, at) => inner.set(name, round[at]))
        if (condition.run(inner) !== true) break
        inner.set(
          result,
          guarded(() => step.run(inner)),
        )
      }
      for (const name of variables) inner.set(name, undefined)
      return outcome.run(inner)
    },
  }
}

/** Values of the loop variables in each round. */
function* roundsOf(range: unknown, count: number): Generator<readonly unknown[]> {
  const items = itemsOf(range)
  if (items !== undefined) {
    for (const [at, item] of items.entries()) yield count === 1 ? [item] : [BigInt(at), item]
  } else if (isMapping(range)) {
    for (const key of range.keys()) yield count === 1 ? [key] : [key, range.find(key)]
  } else throw new Error(`got '${goTypeOf(range)}', expected iterable type`)
}

function goTypeOf(value: unknown): string {
  const name = typeNameOf(value).replace(/^.*\./, '')
  return `types.${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
