import { kubectlClients } from './kubectl/kubectlClients.ts'
import type { Client } from './support/scenario.ts'
import type { Surroundings } from './support/serverProcess.ts'
import type { ConformanceOptions } from './support/options.ts'

/** Every client there is; one that the machine lacks skips with its reason. */
export async function allClients(
  around: Surroundings,
  _options: ConformanceOptions,
): Promise<Client[]> {
  return [...(await kubectlClients(around))]
}
