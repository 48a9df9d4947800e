import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PeerPrograms } from '../../peer/peerPrograms.ts'
import { startPeer } from '../../peer/peerServer.ts'
import type { Bench } from '../bench.ts'
import { residentBytes } from '../childProcess.ts'
import type { Loaded } from '../loadTool.ts'

/** Server under comparison, with a kind whose objects are about 1 KB. */
export interface Contestant extends Loaded {
  token: string
  startMs: number
  /** Path of the objects. */
  collection: string
  /** Content of its objects besides metadata. */
  content: object
  /** Resident memory of all its processes. */
  residentBytes: () => number
  stop: () => Promise<void>
}

const secret = {
  apiVersion: 'management.platform/v1',
  kind: 'SharedSecret',
  spec: { displayName: 'A secret', data: { password: 'c2VjcmV0'.repeat(60) } },
}
const flunder = {
  apiVersion: 'wardle.example.com/v1alpha1',
  kind: 'Flunder',
  spec: { reference: 'f'.repeat(500) },
}

export async function startOurs(bench: Bench): Promise<Contestant> {
  const server = await bench.startServer()
  return {
    ...server,
    port: server.securePort,
    collection: '/apis/management.platform/v1/namespaces/default/sharedsecrets',
    content: secret,
    residentBytes: () => residentBytes(server.pid),
  }
}

/** The sample API server and its etcd, with a server of ours behind them that knows users and namespaces and is not
 *  measured. */
export async function startTheirs(bench: Bench, programs: PeerPrograms): Promise<Contestant> {
  const folder = bench.newFolder()
  const core = await bench.startServer(folder)
  const kubeconfig = join(folder, 'kubeconfig')
  const token = readFileSync(join(folder, 'admin-access-key'), 'utf8').trim()
  const peer = await startPeer(programs, { kubeconfig, token }, join(bench.newFolder(), 'peer'))
  return {
    ...peer,
    storePid: peer.etcdPid,
    collection: '/apis/wardle.example.com/v1alpha1/namespaces/default/flunders',
    content: flunder,
    residentBytes: () => residentBytes(peer.pid) + residentBytes(peer.etcdPid),
    stop: async () => {
      await peer.stop()
      await core.stop()
    },
  }
}
