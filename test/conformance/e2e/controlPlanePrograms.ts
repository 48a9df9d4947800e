import { join } from 'node:path'
import { realPrograms } from '../../differential/realServer/servers/programs.ts'
import { runToEnd } from '../support/command.ts'
import { findOnPath } from '../support/kubectlBinaries.ts'
import type { Workspace } from '../support/workspace.ts'

/** Programs of a whole control plane, and the public suite. */
export interface ControlPlanePrograms {
  /** Real kube-apiserver and etcd. */
  apiServer: string
  etcd: string
  controllerManager: string
  scheduler: string
  kwok: string
  ginkgo: string
  suite: string
  kubectl: string
}

const script = join(import.meta.dirname, '../../../hack/real-server/build.sh')
const names = ['kube-controller-manager', 'kube-scheduler', 'kwok', 'ginkgo', 'e2e.test']
/** The first build compiles most of Kubernetes with low priority; later ones find everything. */
const buildSeconds = 7_200

/** Finds the programs, or builds them; a string: the reason why they are unavailable. */
export async function controlPlanePrograms(
  workspace: Workspace,
): Promise<ControlPlanePrograms | string> {
  const kubectl = findOnPath('kubectl')
  if (kubectl === undefined) return 'no kubectl on PATH'
  if (findOnPath('go') === undefined) return 'no go on PATH'
  const real = realPrograms()
  if (typeof real === 'string') return real
  const options = { timeoutSeconds: buildSeconds }
  const { code, stdout, stderr } = await runToEnd(workspace, [script, '--paths', ...names], options)
  if (code !== 0) return `cannot be built: ${stderr.trim().split('\n').at(-1) ?? ''}`
  const [controllerManager = '', scheduler = '', kwok = '', ginkgo = '', suite = ''] = stdout
    .trim()
    .split('\n')
  const { apiServer, etcd } = real
  return { apiServer, etcd, controllerManager, scheduler, kwok, ginkgo, suite, kubectl }
}
