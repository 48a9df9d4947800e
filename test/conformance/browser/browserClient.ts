import { client, missingClient, type Client } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { BrowserContext } from './browserContext.ts'
import { chromiumProgram } from './devTools.ts'
import { loginFlows } from './loginFlows.ts'

/** Browser on the pages of logins. */
export function browserClient(around: Surroundings): Client {
  const program = chromiumProgram()
  if (program === undefined) return missingClient('browser', 'no chromium on PATH')
  return client({
    name: 'browser',
    scenarios: loginFlows,
    open: () => BrowserContext.open(around, program),
    close: (context) => context.close(),
  })
}
