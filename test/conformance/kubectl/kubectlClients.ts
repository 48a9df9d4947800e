import { client, missingClient, type Client, type Scenario } from '../support/scenario.ts'
import { findKubectls, type KubectlBinary } from '../support/kubectlBinaries.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { platformScenarios } from '../platform/kubectlFlows.ts'
import { applyScenarios } from './write/apply.ts'
import { authenticationScenarios } from './users/authentication.ts'
import { cascadeScenarios } from './write/cascade.ts'
import { conditionScenarios } from './kinds/conditions.ts'
import { coreCreateScenarios } from './kinds/coreCreate.ts'
import { coreExplainScenarios } from './kinds/coreExplain.ts'
import { corePatchScenarios } from './kinds/corePatch.ts'
import { createScenarios } from './write/create.ts'
import { customResourceScenarios } from './kinds/customResources.ts'
import { deleteScenarios } from './write/delete.ts'
import { describeScenarios } from './read/describe.ts'
import { describeKindScenarios } from './kinds/describeKinds.ts'
import { discoveryScenarios } from './read/discovery.ts'
import { editScenarios } from './write/edit.ts'
import { explainScenarios } from './read/explain.ts'
import { getScenarios } from './read/get.ts'
import { impersonationScenarios } from './users/impersonation.ts'
import { KubectlContext } from './kubectlContext.ts'
import { labelScenarios } from './write/label.ts'
import { listScenarios } from './read/list.ts'
import { namespaceScenarios } from './kinds/namespaces.ts'
import { patchScenarios } from './write/patch.ts'
import { pruneScenarios } from './write/prune.ts'
import { rawScenarios } from './read/raw.ts'
import { replaceScenarios } from './write/replace.ts'
import { rolloutScenarios } from './kinds/rollout.ts'
import { serverSideApplyScenarios } from './write/serverSideApply.ts'
import { tokenScenarios } from './users/tokens.ts'
import { validationScenarios } from './write/validation.ts'
import { waitScenarios } from './read/wait.ts'
import { watchScenarios } from './read/watch.ts'
import { whoamiScenarios } from './users/whoami.ts'
import { workloadScenarios } from './kinds/workloads.ts'

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

/** Minor versions of kubectl that the server supports. */
const oldestMinor = 27
const newestMinor = 37

/** Every kubectl of this machine, and each missing release. */
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
