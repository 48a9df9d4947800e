import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { findEtcd } from '../../support/etcd/etcdServer.ts'
import { runToEnd } from '../support/command.ts'
import { findOnPath } from '../support/kubectlBinaries.ts'
import type { Surroundings } from '../support/serverProcess.ts'

/** Real programs that run with this server. */
export interface ComponentPrograms {
  scheduler: string
  sampleApiServer: string
  metricsServer: string
  etcd: string
}

const script = join(import.meta.dirname, '../../../hack/real-server/build.sh')
const names = ['kube-scheduler', 'sample-apiserver', 'metrics-server']
/** The first build compiles three large programs with low priority; later ones find them. */
const buildSeconds = 3_000

/** Finds the programs, or builds them; a string: the reason why they are unavailable. */
export async function componentPrograms({
  workspace,
}: Surroundings): Promise<ComponentPrograms | string> {
  const etcd = findEtcd()
  if (etcd === undefined) return 'no etcd'
  if (findOnPath('kubectl') === undefined) return 'no kubectl on PATH'
  const missing = names.filter((name) => builtProgram(name) === undefined)
  if (missing.length > 0) {
    if (findOnPath('go') === undefined) return `no go on PATH to build ${missing.join(', ')}`
    const { code, stderr } = await runToEnd(workspace, [script, ...missing], {
      timeoutSeconds: buildSeconds,
    })
    if (code !== 0) return `cannot be built: ${stderr.trim().split('\n').at(-1) ?? ''}`
  }
  const [scheduler = '', sampleApiServer = '', metricsServer = ''] = names.map(builtProgram)
  return { scheduler, sampleApiServer, metricsServer, etcd }
}

/** Newest build of a program. */
function builtProgram(name: string): string | undefined {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const folder = join(cache, 'platform-apiserver/real-server')
  if (!existsSync(folder)) return undefined
  const found = readdirSync(folder).filter((file) => new RegExp(`^${name}-v[\\d.]+$`).test(file))
  const newest = found.toSorted().at(-1)
  return newest === undefined ? undefined : join(folder, newest)
}
