import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { basename, join } from 'node:path'

/** Disabled plugins: they would watch kinds that the core cannot watch. */
export const disabledPlugins = [
  'BanFlunder',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
]

/** Running program. */
export interface Started {
  child: ChildProcess
  /** Last output. */
  words: () => string
}

/** Starts a program that ends with this process at the latest. */
export function startProgram(program: string, flags: readonly string[]): Started {
  // The real server uses the name of its file as the field manager of its own writes.
  const argv0 = basename(program).replace(/-v\d.*$/, '')
  const child = spawn(program, flags, { argv0, stdio: ['ignore', 'ignore', 'pipe'] })
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

/** Asks the program to stop, and kills it after five seconds. */
export async function endProgram({ child }: Started): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await exit
  clearTimeout(timer)
}

/** Flags of an etcd on an empty folder. */
export function etcdFlags(folder: string, clientPort: number, peerPort: number): string[] {
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

/** Port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
