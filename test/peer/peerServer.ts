import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { request } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { PeerPrograms } from './peerPrograms.ts'

/** The server that the peer asks who a token stands for, who may do what, and which namespaces there are. */
export interface CoreServer {
  kubeconfig: string
  /** The administrator's. */
  token: string
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
/** Kinds for which the core has no watch, so what they configure is not asked for. */
const left = [
  'BanFlunder',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
]

/** Starts both on an empty folder. @throws Error with the last words of one that does not come up. */
export async function startPeer(
  programs: PeerPrograms,
  core: CoreServer,
  folder: string,
): Promise<PeerServer> {
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()]
  mkdirSync(folder, { recursive: true })
  const began = performance.now()
  const etcd = start(programs.etcd, etcdFlags(folder, client, peer))
  const server = start(programs.apiServer, serverFlags(core, { folder, etcd: client, port }))
  const stop = async () => {
    await end(server)
    await end(etcd)
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

function etcdFlags(folder: string, clientPort: number, peerPort: number): string[] {
  const [client, peer] = [clientPort, peerPort].map((port) => `http://127.0.0.1:${port}`)
  return Object.entries({
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
    'log-level': 'error',
    logger: 'zap',
    'quota-backend-bytes': 8 * 1024 ** 3,
  }).map(([name, value]) => `--${name}=${value}`)
}

function serverFlags(
  { kubeconfig }: CoreServer,
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
    'authentication-tolerate-lookup-failure': true,
    'enable-priority-and-fairness': false,
    'disable-admission-plugins': left.join(','),
  }).map(([name, value]) => `--${name}=${value}`)
}

interface Started {
  child: ChildProcess
  /** The end of what it wrote. */
  words: () => string
}

function start(program: string, flags: readonly string[]): Started {
  const child = spawn(program, flags, { stdio: ['ignore', 'ignore', 'pipe'] })
  let tail = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-4_000)
  })
  child.once('error', (error) => (tail += String(error)))
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return { child, words: () => tail }
}

async function end({ child }: Started): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await exit
  clearTimeout(timer)
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
