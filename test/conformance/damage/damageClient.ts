import type { Client } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { DamageTest } from './damageTest.ts'

const name = 'damage test'
const scenario =
  'every file of a data folder flipped, cut, zeroed and removed: nothing is lost silently'

/** Starts the server on copies of a data folder, each with one file damaged. */
export function damageClient(around: Surroundings): Client {
  return {
    name,
    run: async (report, wanted) => {
      if (!wanted.isWanted(`${name}: ${scenario}`)) return
      if (around.etcd !== undefined) {
        report.skipped(name, scenario, 'the objects are in etcd')
        return
      }
      const began = Date.now()
      const test = new DamageTest(around)
      try {
        const { whole, refused, accepted } = await test.run()
        const sums = `${whole + refused} cases: ${whole} whole, ${refused} refused, ${accepted} losses accepted`
        report.passed(name, `${scenario}: ${sums}`, Date.now() - began)
      } catch (error) {
        report.failed(name, scenario, error)
      }
    },
  }
}
