import { mkdirSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { endProgram, etcdFlags, freePort, startProgram, type Started } from './peerProcess.ts'

export interface ServerOnEtcdOptions {
  programs: { etcd: string; server: string }
  /** Folder for its data; empty or missing. */
  folder: string
  /** Kubeconfig of the server that authenticates tokens and authorizes requests. Default: the server does so itself. */
  kubeconfig?: string
  /** Flags in addition to those of all such servers. */
  flags: Readonly<Record<string, string | boolean>>
  /** Path that returns 200 when the server is ready. */
  ready: { path: string; headers?: Readonly<Record<string, string>> }
}

/** Server built with the real library, and its etcd. */
export interface ServerOnEtcd {
  server: Started
  etcd: Started
  /** Port of HTTPS on 127.0.0.1. */
  port: number
  /** Time from the start of both processes to the first successful response. */
  startMs: number
  stop: () => Promise<void>
}

const longestStartMs = 90_000

/** Starts both. @throws Error with the last output of a program that does not start. */
export async function startServerOnEtcd(options: ServerOnEtcdOptions): Promise<ServerOnEtcd> {
  const { programs, folder, ready } = options
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()]
  mkdirSync(folder, { recursive: true })
  const began = performance.now()
  const etcd = startProgram(programs.etcd, etcdFlags(folder, client, peer))
  const server = startProgram(programs.server, serverFlags(options, { etcd: client, port }))
  const stop = async () => {
    await endProgram(server)
    await endProgram(etcd)
  }
  try {
    await untilReady([server, etcd], { port, ...ready })
  } catch (error) {
    await stop()
    throw error
  }
  return { server, etcd, port, startMs: performance.now() - began, stop }
}

function serverFlags(
  { folder, kubeconfig, flags }: ServerOnEtcdOptions,
  { etcd, port }: { etcd: number; port: number },
): string[] {
  return Object.entries({
    'etcd-servers': `http://127.0.0.1:${etcd}`,
    'secure-port': port,
    'bind-address': '127.0.0.1',
    'cert-dir': join(folder, 'certificates'),
    'enable-priority-and-fairness': false,
    ...delegationFlags(kubeconfig),
    ...flags,
  }).map(([name, value]) => `--${name}=${value}`)
}

type Address = ServerOnEtcdOptions['ready'] & { port: number }

function delegationFlags(kubeconfig: string | undefined): Record<string, string> {
  if (kubeconfig === undefined) return {}
  return {
    kubeconfig,
    'authentication-kubeconfig': kubeconfig,
    'authorization-kubeconfig': kubeconfig,
  }
}

async function untilReady(processes: readonly Started[], address: Address): Promise<void> {
  const until = performance.now() + longestStartMs
  while ((await statusOf(address)) !== 200) {
    const ended = processes.find(({ child }) => child.exitCode !== null || child.pid === undefined)
    if (ended !== undefined || performance.now() > until) {
      const words = processes.map((one) => one.words()).join('\n')
      throw new Error(`the server did not start:\n${words}`)
    }
    await pause(20)
  }
}

/** Status of a request; 0 without a response. */
function statusOf(address: Address): Promise<number> {
  return new Promise((resolve) => {
    // The server creates a self-signed certificate at every start.
    const options = { host: '127.0.0.1', ...address, rejectUnauthorized: false, agent: false }
    request(options, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
      .on('error', () => resolve(0))
      .end()
  })
}
