import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RealPrograms } from '../../differential/realServer/servers/programs.ts'
import { findOnPath } from '../support/kubectlBinaries.ts'
import type { Workspace } from '../support/workspace.ts'

/** Folder with the real programs, as expected by envtest. */
export function realAssets(workspace: Workspace, { apiServer, etcd }: RealPrograms): string {
  const folder = workspace.folder('real-assets')
  // A loopback address may not be an endpoint of the kubernetes Service.
  const script = `#!/bin/sh\nexec ${apiServer} --endpoint-reconciler-type=none "$@"\n`
  writeFileSync(join(folder, 'kube-apiserver'), script)
  chmodSync(join(folder, 'kube-apiserver'), 0o755)
  symlinkSync(etcd, join(folder, 'etcd'))
  const kubectl = findOnPath('kubectl')
  if (kubectl !== undefined) symlinkSync(kubectl, join(folder, 'kubectl'))
  return folder
}
