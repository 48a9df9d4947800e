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
} from '../../peer/peerProcess.ts'

export interface AggregatorPrograms {
  aggregator: string
  etcd: string
}

export interface AggregatorOptions {
  programs: AggregatorPrograms
  /** Empty, or not there. */
  folder: string
  /** Of the core server: its services, who a token stands for, who may do what, whose certificates count. */
  kubeconfig: string
  /** The certificate that it shows to extensions, and its key: files. */
  proxyCertificate: { cert: string; key: string }
}

/** The real aggregator, by itself, on an etcd of its own. */
export interface Aggregator {
  url: string
  /** The end of what it wrote. */
  words(): string
  stop(): Promise<void>
}

const startMs = 90_000

/** @throws Error with the last words of a program that does not come up. */
export async function startAggregator(options: AggregatorOptions): Promise<Aggregator> {
  const { programs, folder } = options
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()]
  mkdirSync(folder, { recursive: true })
  const etcd = startProgram(programs.etcd, etcdFlags(folder, client, peer))
  const server = startProgram(programs.aggregator, flagsOf(options, { etcd: client, port }))
  const stop = async () => {
    await endProgram(server)
    await endProgram(etcd)
  }
  try {
    await untilReady([server, etcd], port)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `https://127.0.0.1:${port}`, words: server.words, stop }
}

function flagsOf(
  { folder, kubeconfig, proxyCertificate }: AggregatorOptions,
  { etcd, port }: { etcd: number; port: number },
): string[] {
  const plugins = disabledPlugins.filter((name) => name !== 'BanFlunder')
  return Object.entries({
    'etcd-servers': `http://127.0.0.1:${etcd}`,
    'secure-port': port,
    'bind-address': '127.0.0.1',
    'cert-dir': join(folder, 'certificates'),
    kubeconfig,
    'authentication-kubeconfig': kubeconfig,
    'authorization-kubeconfig': kubeconfig,
    'authorization-webhook-cache-unauthorized-ttl': '1s',
    'proxy-client-cert-file': proxyCertificate.cert,
    'proxy-client-key-file': proxyCertificate.key,
    'enable-priority-and-fairness': false,
    'disable-admission-plugins': plugins.join(','),
  }).map(([name, value]) => `--${name}=${value}`)
}

async function untilReady(processes: readonly Started[], port: number): Promise<void> {
  const until = performance.now() + startMs
  for (;;) {
    if ((await statusOf(port)) === 200) return
    const ended = processes.find(({ child }) => child.exitCode !== null || child.pid === undefined)
    if (ended !== undefined || performance.now() > until) {
      const words = processes.map((one) => one.words()).join('\n')
      throw new Error(`the aggregator did not start:\n${words}`)
    }
    await pause(50)
  }
}

/** 0 where nobody answers. */
function statusOf(port: number): Promise<number> {
  return new Promise((resolve) => {
    // Its certificate is made at every start and signed by nobody.
    const options = { port, path: '/readyz', rejectUnauthorized: false, agent: false }
    request({ host: '127.0.0.1', ...options }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
      .on('error', () => resolve(0))
      .end()
  })
}
