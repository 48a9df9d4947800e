import { findKubectls, type KubectlBinary } from '../support/kubectlBinaries.ts'
import { client, missingClient, type Client } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { bulkClient } from './bulkClient.ts'
import { firstFlows, lastFlows } from './lifeFlows.ts'
import { SyncContext } from './syncContext.ts'
import { syncFlows } from './syncFlows.ts'

const scenarios = [...firstFlows, ...syncFlows, ...lastFlows]

/** Virtual cluster that is synced to its host, with the oldest and the newest kubectl. */
export async function syncClients(around: Surroundings): Promise<Client[]> {
  const binaries = await findKubectls(around.workspace)
  const [oldest, newest] = [binaries[0], binaries.at(-1)]
  if (oldest === undefined || newest === undefined) return [missingClient('sync', 'no kubectl')]
  const first = syncClient(around, newest, `sync by kubectl ${newest.version}`)
  if (oldest === newest) return [first, bulkClient(around, newest)]
  const older = syncClient(around, oldest, `sync by the oldest kubectl, ${oldest.version}`)
  return [first, older, bulkClient(around, newest)]
}

function syncClient(around: Surroundings, binary: KubectlBinary, name: string): Client {
  return client({
    name,
    scenarios,
    open: () => SyncContext.open(around, binary),
    close: (context) => context.close(),
  })
}
