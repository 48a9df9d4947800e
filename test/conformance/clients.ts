import { browserClient } from './browser/browserClient.ts'
import { consoleRowsClient } from './browser/consoleRows.ts'
import { aggregatorClient } from './aggregator/aggregatorClient.ts'
import { delegationClient } from './aggregator/delegationClient.ts'
import { clientNodeClient } from './clientNode/clientNodeClient.ts'
import { componentsClient } from './components/componentsClient.ts'
import { commandLineClients } from './commandLine/commandLineClient.ts'
import { crashClient } from './crash/crashClient.ts'
import { damageClient } from './damage/damageClient.ts'
import { differentialClient } from '../differential/differentialClient.ts'
import { envtestClient } from './envtest/envtestClient.ts'
import { examplesClient } from './examples/examplesClient.ts'
import { goClients } from './go/goClients.ts'
import { helmClient } from './helm/helmClient.ts'
import { helmWebhooksClients } from './helmWebhooks/helmWebhooksClient.ts'
import { curlClient } from './independent/curl.ts'
import { openApiClient } from './independent/openApi.ts'
import { shutdownClient } from './independent/shutdown.ts'
import { webSocketClient } from './independent/webSocket.ts'
import { kubectlClients } from './kubectl/kubectlClients.ts'
import { linearizabilityClient } from './linearizability/linearizabilityClient.ts'
import { listFormsClient } from './listForms/listFormsClient.ts'
import { platformClients } from './platform/platformClients.ts'
import { replicasClient } from './replicas/replicasClient.ts'
import type { ConformanceOptions } from './support/options.ts'
import type { Client } from './support/scenario.ts'
import type { Surroundings } from './support/serverProcess.ts'
import { syncClients } from './sync/syncClients.ts'

/** All clients; a client that the machine lacks is skipped with its reason. */
export async function allClients(
  around: Surroundings,
  options: ConformanceOptions,
): Promise<Client[]> {
  return [
    crashClient(around, options),
    damageClient(around),
    linearizabilityClient(around, options),
    listFormsClient(around),
    ...(await kubectlClients(around)),
    ...platformClients(around),
    ...commandLineClients(around),
    ...(await syncClients(around)),
    ...goClients(around),
    envtestClient(around),
    examplesClient(around),
    helmClient(around),
    ...helmWebhooksClients(around),
    browserClient(around),
    consoleRowsClient(around),
    clientNodeClient(around),
    openApiClient(around),
    webSocketClient(around),
    shutdownClient(around),
    curlClient(around),
    differentialClient(around),
    delegationClient(around),
    aggregatorClient(around),
    componentsClient(around),
    replicasClient(around),
  ]
}
