import { realPrograms } from '../../differential/realServer/servers/programs.ts'
import { peerPrograms } from '../../peer/peerPrograms.ts'
import type { Pair } from './contest.ts'
import { configMaps, onLevel, sharedSecrets, type Start } from './contestant.ts'
import { kubeApiserver, onEtcd } from './onEtcd.ts'
import type { PeerName } from './peerName.ts'
import type { Comparison } from './peerRow.ts'
import { sampleServer } from './sampleServer.ts'

/** Comparison with the starts of both sides; a string: the reason why it cannot run. */
interface Entry extends Comparison {
  starts: () => Pair<Start> | string
}

/** Values of `PEER`. */
export const comparisons: Readonly<Record<PeerName, Entry>> = {
  library: {
    name: 'peer',
    heads: ['ours', 'library + etcd'],
    starts: () => {
      const programs = peerPrograms()
      if (typeof programs === 'string') return programs
      return { ours: onLevel(sharedSecrets), peer: sampleServer(programs) }
    },
    aims: {
      'peer-start': { times: 2.3 },
      'peer-memory': { most: 95 },
      'peer-create-1': { times: 3 },
      'peer-create-16': { times: 4 },
      'peer-create-64': { times: 3.5 },
      'peer-create-64-cpu': { times: 4 },
      'peer-create-64-p99': { times: 3 },
      'peer-create-256': { times: 3.5 },
      'peer-delete': { times: 4 },
      'peer-get': { times: 2.3 },
      'peer-get-cpu': { times: 3 },
      'peer-get-h2': { times: 2 },
      'peer-update': { times: 4 },
      'peer-churn': { times: 3 },
      'peer-list': { times: 10 },
      'peer-list-cpu': { times: 15 },
      'peer-list-gzip': { times: 8 },
      'peer-list-1-percent': { times: 2 },
      'peer-walk': { times: 6 },
      'peer-watch-h1-slow': { most: 100 },
      'peer-watch-h1-fast': { most: 200 },
      'peer-watch-burst': { times: 7 },
      'peer-watch-h1-memory': { most: 65 },
      'peer-watch-h2-slow': { most: 40 },
      'peer-watch-h2-fast': { most: 200 },
      'peer-watch-h2-memory': { most: 20 },
    },
  },
  'kube-apiserver': {
    name: 'kube-apiserver',
    heads: ['ours on etcd', 'kube-apiserver'],
    starts: () => {
      const programs = realPrograms()
      if (typeof programs === 'string') return programs
      return { ours: onEtcd(programs.etcd), peer: kubeApiserver(programs) }
    },
    aims: {
      'peer-create-64': { times: 1 },
      'peer-create-64-cpu': { times: 2 },
    },
  },
  storages: {
    name: 'storages',
    heads: ['ours on etcd', 'ours on LevelDB'],
    starts: () => {
      const programs = realPrograms()
      if (typeof programs === 'string') return programs
      return { ours: onEtcd(programs.etcd), peer: onLevel(configMaps) }
    },
    aims: {
      'peer-get': { times: 0.9 },
      'peer-list': { times: 0.9 },
    },
  },
}
