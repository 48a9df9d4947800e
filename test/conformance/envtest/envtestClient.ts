import {
  client,
  missingClient,
  type Client,
  type Report,
  type Wanted,
} from '../support/scenario.ts'
import { findOnPath } from '../support/kubectlBinaries.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { EnvtestContext } from './envtestContext.ts'
import { suites, suiteVersion } from './suites.ts'

/**
 * The suites of controller-runtime and the example project, with the executables written by
 * `envtest`.
 */
export function envtestClient(around: Surroundings): Client {
  const name = `envtest controller-runtime ${suiteVersion}`
  const go = findOnPath('go')
  if (go === undefined) return missingClient(name, 'no go on PATH')
  const run = async (report: Report, wanted: Wanted) => {
    let missing: string | undefined
    await client({
      name,
      scenarios: [
        {
          name: 'the example project with webhooks passes its tests',
          run: (context: EnvtestContext) => context.example(),
        },
        ...suites.map((suite) => ({
          name: `the suite ${suite} passes`,
          skip: () => missing,
          run: (context: EnvtestContext) => context.suite(suite),
        })),
      ],
      open: async () => {
        const context = await EnvtestContext.open(around, go)
        missing = await context.unavailable()
        return context
      },
      close: async () => undefined,
    }).run(report, wanted)
  }
  return { name, run }
}
