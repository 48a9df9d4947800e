import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { client, type Client } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { ClientNodeContext } from './clientNodeContext.ts'
import { informerScenarios } from './informer.ts'
import { listScenarios } from './list.ts'
import { objectScenarios } from './objects.ts'
import { watchScenarios } from './watch.ts'

/** The JavaScript client, in the installed version. */
export function clientNodeClient(around: Surroundings): Client {
  return client({
    name: `@kubernetes/client-node ${installedVersion()}`,
    scenarios: [...objectScenarios, ...listScenarios, ...watchScenarios, ...informerScenarios],
    open: () => ClientNodeContext.open(around),
    forScenario: (context) => context.next(),
    close: (context) => context.close(),
  })
}

function installedVersion(): string {
  const entry = fileURLToPath(import.meta.resolve('@kubernetes/client-node'))
  const file = entry.replace(/(?<=client-node\/).*$/, 'package.json')
  // npm writes a version into every package.json.
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
