import { client, missingClient, type Client } from '../support/scenario.ts'
import { findOnPath } from '../support/kubectlBinaries.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { CurlContext } from './curlContext.ts'
import { curlScenarios } from './curlScenarios.ts'

/** The command-line HTTP client, used as in the specification's examples. */
export function curlClient(around: Surroundings): Client {
  if (findOnPath('curl') === undefined) return missingClient('curl', 'not on PATH')
  return client({
    name: 'curl',
    scenarios: curlScenarios,
    open: () => CurlContext.open(around),
    close: (context) => context.close(),
  })
}
