import { client, missingClient, type Client, type Scenario } from '../support/scenario.ts'
import { findKubectls, type KubectlBinary } from '../support/kubectlBinaries.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { platformScenarios } from '../platform/kubectlFlows.ts'
import { applyScenarios } from './apply.ts'
import { authenticationScenarios } from './authentication.ts'
import { cascadeScenarios } from './cascade.ts'
import { conditionScenarios } from './conditions.ts'
import { coreCreateScenarios } from './coreCreate.ts'
import { coreExplainScenarios } from './coreExplain.ts'
import { corePatchScenarios } from './corePatch.ts'
import { createScenarios } from './create.ts'
import { customResourceScenarios } from './customResources.ts'
import { deleteScenarios } from './delete.ts'
import { describeScenarios } from './describe.ts'
import { describeKindScenarios } from './describeKinds.ts'
import { discoveryScenarios } from './discovery.ts'
import { editScenarios } from './edit.ts'
import { explainScenarios } from './explain.ts'
import { getScenarios } from './get.ts'
import { impersonationScenarios } from './impersonation.ts'
import { KubectlContext } from './kubectlContext.ts'
import { labelScenarios } from './label.ts'
import { listScenarios } from './list.ts'
import { namespaceScenarios } from './namespaces.ts'
import { patchScenarios } from './patch.ts'
import { pruneScenarios } from './prune.ts'
import { rawScenarios } from './raw.ts'
import { replaceScenarios } from './replace.ts'
import { rolloutScenarios } from './rollout.ts'
import { serverSideApplyScenarios } from './serverSideApply.ts'
import { tokenScenarios } from './tokens.ts'
import { validationScenarios } from './validation.ts'
import { waitScenarios } from './wait.ts'
import { watchScenarios } from './watch.ts'
import { whoamiScenarios } from './whoami.ts'
import { workloadScenarios } from './workloads.ts'

const scenarios: readonly Scenario<KubectlContext>[] = [
  ...discoveryScenarios,
  ...rawScenarios,
  ...explainScenarios,
  ...createScenarios,
  ...validationScenarios,
  ...getScenarios,
  ...listScenarios,
  ...describeScenarios,
  ...applyScenarios,
  ...editScenarios,
  ...patchScenarios,
  ...labelScenarios,
  ...replaceScenarios,
  ...waitScenarios,
  ...watchScenarios,
  ...deleteScenarios,
  ...namespaceScenarios,
  ...authenticationScenarios,
  ...coreCreateScenarios,
  ...coreExplainScenarios,
  ...serverSideApplyScenarios,
  ...pruneScenarios,
  ...corePatchScenarios,
  ...cascadeScenarios,
  ...conditionScenarios,
  ...impersonationScenarios,
  ...workloadScenarios,
  ...rolloutScenarios,
  ...describeKindScenarios,
  ...whoamiScenarios,
  ...tokenScenarios,
  ...customResourceScenarios,
  ...platformScenarios,
]

/** The minor versions that the server answers for. */
const oldestMinor = 27
const newestMinor = 37

/** Every kubectl of this machine, and each release it lacks. */
export async function kubectlClients(around: Surroundings): Promise<Client[]> {
  const binaries = await findKubectls(around.workspace)
  const supported = binaries.filter(({ minor }) => minor >= oldestMinor)
  const missing = Array.from({ length: newestMinor - oldestMinor + 1 }, (_, i) => oldestMinor + i)
    .filter((minor) => !binaries.some((binary) => binary.minor === minor))
    .map((minor) => missingClient(`kubectl 1.${minor}`, 'not beside the kubectl on PATH'))
  return [...supported.map((binary) => kubectlClient(around, binary)), ...missing]
}

function kubectlClient(around: Surroundings, binary: KubectlBinary): Client {
  return client({
    name: `kubectl ${binary.version}`,
    scenarios,
    open: () => KubectlContext.open(around, binary),
    forScenario: (context) => context.next(),
    close: (context) => context.close(),
  })
}
