import { get, type Case, type Step } from '../call.ts'
import type { Finding } from './findings.ts'

/** Placeholder for a removed step, so that the positions of earlier responses do not change. */
const nothing: Step = get('/version')

/**
 * Finding with the fewest steps that still show a difference at the same place. `find` runs a case
 * again.
 */
export async function shrink(
  given: Case,
  finding: Finding,
  find: (given: Case) => Promise<Finding | undefined>,
): Promise<Finding> {
  const wanted = placeOf(finding)
  let smallest = finding
  let steps = given.steps.slice(0, finding.calls.length)
  for (let at = steps.length - 2; at >= 0; at--) {
    const without = steps.with(at, nothing)
    const found = await find({ ...given, steps: without })
    if (found === undefined || placeOf(found) !== wanted) continue
    steps = without
    smallest = found
  }
  return withoutNothing(smallest)
}

function placeOf({ differences: [first] }: Finding): string {
  return `${first?.step} ${first?.at}`
}

function withoutNothing({ calls, differences, title }: Finding): Finding {
  const kept = calls.flatMap((call, at) => (call.path === '/version' ? [] : [at]))
  return {
    title,
    calls: kept.flatMap((at) => calls[at] ?? []),
    differences: differences.map((one) => ({ ...one, step: kept.indexOf(one.step) })),
  }
}
