import { mkdirSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  disabledPlugins,
  endProgram,
  etcdFlags,
  freePort,
  startProgram,
  type Started,
} from './peerProcess.ts'
import type { PeerPrograms } from './peerPrograms.ts'

/** The server that the peer asks who a token stands for, who may do what, and which namespaces there are. */
export interface CoreServer {
  kubeconfig: string
  /** The administrator's. */
  token: string
  /** Its config map says whose certificates count, and has to be there. Default: it may be missing. */
  tellsCertificates?: boolean
}

/** A running sample API server on an etcd of its own. */
export interface PeerServer {
  /** Of HTTPS on 127.0.0.1. */
  port: number
  pid: number
  etcdPid: number
  token: string
  /** From the start of both processes to the first authenticated list. */
  startMs: number
  stop: () => Promise<void>
}

/** Reads a path that the peer serves only when it is ready. */
const firstList = '/apis/wardle.example.com/v1alpha1/namespaces/default/flunders'
const startMs = 90_000
/** Starts both on an empty folder. @throws Error with the last words of one that does not come up. */
export async function startPeer(
  programs: PeerPrograms,
  core: CoreServer,
  folder: string,
): Promise<PeerServer> {
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()]
  mkdirSync(folder, { recursive: true })
  const began = performance.now()
  const etcd = startProgram(programs.etcd, etcdFlags(folder, client, peer))
  const server = startProgram(programs.apiServer, serverFlags(core, { folder, etcd: client, port }))
  const stop = async () => {
    await endProgram(server)
    await endProgram(etcd)
  }
  try {
    await untilServing([server, etcd], { port, token: core.token })
  } catch (error) {
    await stop()
    throw error
  }
  const startedMs = performance.now() - began
  const pids = { pid: server.child.pid ?? 0, etcdPid: etcd.child.pid ?? 0 }
  return { port, ...pids, token: core.token, startMs: startedMs, stop }
}

function serverFlags(
  { kubeconfig, tellsCertificates = false }: CoreServer,
  { folder, etcd, port }: { folder: string; etcd: number; port: number },
): string[] {
  return Object.entries({
    'etcd-servers': `http://127.0.0.1:${etcd}`,
    'secure-port': port,
    'bind-address': '127.0.0.1',
    'cert-dir': join(folder, 'certificates'),
    kubeconfig,
    'authentication-kubeconfig': kubeconfig,
    'authorization-kubeconfig': kubeconfig,
    'authentication-tolerate-lookup-failure': !tellsCertificates,
    'enable-priority-and-fairness': false,
    'disable-admission-plugins': disabledPlugins.join(','),
  }).map(([name, value]) => `--${name}=${value}`)
}

async function untilServing(
  processes: readonly Started[],
  address: { port: number; token: string },
): Promise<void> {
  const until = performance.now() + startMs
  for (;;) {
    if ((await statusOf(address)) === 200) return
    const ended = processes.find(({ child }) => child.exitCode !== null || child.pid === undefined)
    if (ended !== undefined || performance.now() > until) {
      throw new Error(
        `the peer did not start:\n${processes.map(({ words }) => words()).join('\n')}`,
      )
    }
    await pause(20)
  }
}

/** 0 where nobody answers. */
function statusOf({ port, token }: { port: number; token: string }): Promise<number> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` }
    // Its certificate is made at every start and signed by nobody.
    const options = { port, headers, path: firstList, rejectUnauthorized: false, agent: false }
    request({ host: '127.0.0.1', ...options }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
      .on('error', () => resolve(0))
      .end()
  })
}
