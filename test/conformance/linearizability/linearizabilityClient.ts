import { SeededRandom } from '../crash/seededRandom.ts'
import type { ConformanceOptions } from '../support/options.ts'
import type { Client, Report } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { LinearizabilityTest } from './linearizabilityTest.ts'

const name = 'linearizability'
const rounds = 8

/** Client that checks linearizability: all responses about an object, including refusals, fit one sequential order. */
export function linearizabilityClient(around: Surroundings, { seed }: ConformanceOptions): Client {
  const scenario = `${rounds} rounds of creates, updates, deletions, refusals and reads by 16 callers, SIGKILL amid each, seed ${seed}`
  return {
    name,
    run: async (report, wanted) => {
      if (wanted.isWanted(`${name}: ${scenario}`)) await run(around, { seed, report, scenario })
    },
  }
}

async function run(
  around: Surroundings,
  { seed, report, scenario }: { seed: number; report: Report; scenario: string },
): Promise<void> {
  const started = Date.now()
  const test = new LinearizabilityTest(around)
  try {
    await test.open()
    for (let round = 1; round <= rounds; round++) {
      await test.round(new SeededRandom(seed * 1000 + round))
    }
    const faults = test.faults()
    if (faults.length > 0) throw new Error(faults.join('\n'))
    report.passed(name, `${scenario}: ${sums(test)}`, Date.now() - started)
  } catch (error) {
    report.failed(name, scenario, error)
  }
  await test.close()
}

function sums({ history }: LinearizabilityTest): string {
  const counts = new Map<string, number>()
  for (const { outcome } of history) {
    counts.set(outcome.kind, (counts.get(outcome.kind) ?? 0) + 1)
  }
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')
}
