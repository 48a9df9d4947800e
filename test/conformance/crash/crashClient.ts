import type { ConformanceOptions } from '../support/options.ts'
import type { Client, Report } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { CrashTest } from './crashTest.ts'
import { SeededRandom } from './seededRandom.ts'

const name = 'crash test'

/**
 * Kills the server during parallel writes, in several rounds on one data folder. It ends after the
 * first round with a fault: later rounds would find the same fault again.
 */
export function crashClient(around: Surroundings, options: ConformanceOptions): Client {
  const { crashRounds, seed } = options
  const scenario = `${crashRounds} rounds of SIGKILL under parallel writes, seed ${seed}`
  return {
    name,
    run: async (report, wanted) => {
      if (wanted.isWanted(`${name}: ${scenario}`))
        await runRounds(around, { options, report, scenario })
    },
  }
}

interface Run {
  options: ConformanceOptions
  report: Report
  scenario: string
}

async function runRounds(
  around: Surroundings,
  { options: { crashRounds, seed }, report, scenario }: Run,
): Promise<void> {
  const started = Date.now()
  const test = new CrashTest(around)
  let round = 0
  try {
    await test.open()
    for (round = 1; round <= crashRounds; round++) {
      // Each round has a separate seed, so that its choices do not depend on earlier rounds.
      await test.round(new SeededRandom(seed * 1000 + round))
    }
    await test.close()
    const { acknowledged, events, slowestStartMs } = test.sums
    const sums = `${acknowledged} writes, ${events} events, slowest start ${slowestStartMs} ms`
    report.passed(name, `${scenario}: ${sums}`, Date.now() - started)
  } catch (error) {
    report.failed(name, `${scenario}: round ${round}`, error)
    await test.close().catch(() => undefined)
  }
}
