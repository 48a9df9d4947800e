import { join } from 'node:path'
import type { RealPrograms } from '../../differential/realServer/servers/programs.ts'
import { startRealServer } from '../../differential/realServer/servers/realServer.ts'
import { residentBytes } from '../childProcess.ts'
import { startEtcd } from '../etcd.ts'
import { configMaps, contestantOf, type Start } from './contestant.ts'

/**
 * Our server on an etcd that writes to disk, like that of the real server. Processor time and
 * memory are those of the server alone.
 */
export function onEtcd(program: string): Start {
  return async (bench) => {
    const etcd = await startEtcd(program)
    const flags = ['--storage', 'etcd', '--etcd-servers', etcd.endpoint]
    const server = await bench.startServer(bench.newFolder(), { flags })
    return {
      ...contestantOf(server, configMaps),
      stop: async () => {
        await server.stop()
        await etcd.remove()
      },
    }
  }
}

/**
 * The real kube-apiserver on its own etcd; processor time and memory are those of the server alone.
 */
export function kubeApiserver(programs: RealPrograms): Start {
  return async (bench) => {
    const server = await startRealServer(programs, join(bench.newFolder(), 'real'), {
      // 1,000 watchers share four connections; the default is 100 streams each.
      'http2-max-streams-per-connection': '1000',
    })
    const { port, tokens } = server.side
    return {
      ...configMaps,
      port,
      pid: server.pid,
      token: tokens.admin,
      startMs: server.startMs,
      residentBytes: () => residentBytes(server.pid),
      stop: server.stop,
    }
  }
}
