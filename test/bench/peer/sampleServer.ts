import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PeerPrograms } from '../../peer/peerPrograms.ts'
import { startPeer } from '../../peer/peerServer.ts'
import { residentBytes } from '../childProcess.ts'
import type { Objects, Start } from './contestant.ts'

const flunders: Objects = {
  collection: '/apis/wardle.example.com/v1alpha1/namespaces/default/flunders',
  content: {
    apiVersion: 'wardle.example.com/v1alpha1',
    kind: 'Flunder',
    spec: { reference: 'f'.repeat(500) },
  },
}

/**
 * The sample API server and its etcd, with one of our servers behind them that serves users and
 * namespaces and is not measured.
 */
export function sampleServer(programs: PeerPrograms): Start {
  return async (bench) => {
    const folder = bench.newFolder()
    const core = await bench.startServer(folder)
    const kubeconfig = join(folder, 'kubeconfig')
    const token = readFileSync(join(folder, 'admin-access-key'), 'utf8').trim()
    const peer = await startPeer(programs, { kubeconfig, token }, join(bench.newFolder(), 'peer'))
    return {
      ...peer,
      ...flunders,
      storePid: peer.etcdPid,
      residentBytes: () => residentBytes(peer.pid) + residentBytes(peer.etcdPid),
      stop: async () => {
        await peer.stop()
        await core.stop()
      },
    }
  }
}
