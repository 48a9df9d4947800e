import { spawn, type ChildProcess } from 'node:child_process'
import { deadline } from '../deadlines.ts'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { EtcdClient } from '../../../apiserver/storage/etcd/etcdClient.ts'
import { realClock } from '../../../apiserver/runtime/realClock.ts'
import { endWithTests } from '../startedProcesses.ts'

/**
 * Etcd of this machine: `ETCD`, then PATH, then the build of `make real-server`. Undefined: none.
 */
export function findEtcd(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const cache = env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const built = builtIn(join(cache, 'platform-apiserver', 'real-server'))
  const candidates = [env.ETCD ?? '', ...folders.map((folder) => join(folder, 'etcd')), ...built]
  return candidates.find((path) => path !== '' && existsSync(path))
}

/** Binaries `etcd` and `etcd-v<version>` in a folder. */
function builtIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => /^etcd(-v[\d.]+)?$/.test(name))
  return names.map((name) => join(folder, name))
}

/** Suite that needs an etcd; without one it is skipped with the reason, or fails if REQUIRE_ETCD is set. */
export function describeWithEtcd(title: string, suite: (etcd: string) => void): void {
  const etcd = findEtcd()
  if (etcd === undefined && process.env.REQUIRE_ETCD === undefined)
    return void it.skip(`${title} (skipped: etcd not found)`)
  describe(title, function () {
    // A member starts, stops and recovers within seconds.
    this.timeout(60_000)
    // Starting a missing program fails.
    suite(etcd ?? 'etcd')
  })
}

/**
 * Single etcd member with a separate folder. Nothing is synced to disk: tests kill the process, not
 * the machine.
 */
export class EtcdServer {
  readonly endpoint: string
  readonly #binary: string
  readonly #folder: string
  readonly #peer: string
  readonly #metrics: string
  readonly #flags: readonly string[]
  #process: ChildProcess | undefined

  static async start(binary: string, flags: readonly string[] = []): Promise<EtcdServer> {
    const folder = await mkdtemp(join(tmpdir(), 'etcd-'))
    const ports = [await freePort(), await freePort(), await freePort()]
    const server = new EtcdServer(binary, folder, { ports, flags })
    await server.restart()
    return server
  }

  private constructor(
    binary: string,
    folder: string,
    { ports, flags }: { ports: readonly number[]; flags: readonly string[] },
  ) {
    this.#binary = binary
    this.#folder = folder
    this.#flags = flags
    const scheme = flags.includes('--cert-file') ? 'https' : 'http'
    this.endpoint = `${scheme}://127.0.0.1:${ports[0]}`
    this.#peer = `http://127.0.0.1:${ports[1]}`
    this.#metrics = `http://127.0.0.1:${ports[2]}`
  }

  /** Data folder of the member. */
  get dataDir(): string {
    return join(this.#folder, 'data')
  }

  /** Restarts with the existing data; resolves when it responds. */
  async restart(): Promise<void> {
    const { endpoint } = this
    const common = ['--data-dir', this.dataDir, '--unsafe-no-fsync', '--log-level', 'error']
    const urls = [
      ...['--listen-client-urls', endpoint, '--advertise-client-urls', endpoint],
      ...['--listen-peer-urls', this.#peer, '--initial-advertise-peer-urls', this.#peer],
      ...['--listen-metrics-urls', this.#metrics],
      ...['--initial-cluster', `default=${this.#peer}`],
    ]
    this.#process = spawn(this.#binary, [...common, ...urls, ...this.#flags], { stdio: 'ignore' })
    endWithTests(this.#process)
    const until = Date.now() + deadline(5_000)
    while (!(await answers(this.#metrics))) {
      if (Date.now() > until) throw new Error(`${this.#binary} does not answer`)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal)
  }

  /** Kills it, like a crash. */
  async kill(): Promise<void> {
    const running = this.#process
    this.#process = undefined
    if (running === undefined) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGKILL')
    await ended
  }

  /** Kills it without waiting, at the exit of this process. */
  removeNow(): void {
    this.#process?.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async remove(): Promise<void> {
    await this.kill()
    await rm(this.#folder, { recursive: true })
  }

  async version(): Promise<string> {
    const client = await this.client()
    const { version } = await client.status(5_000)
    client.close()
    return version
  }

  /** Creates a client, which the caller closes. */
  client(): Promise<EtcdClient> {
    return EtcdClient.load({ endpoints: [this.endpoint], credentials: {} }, realClock)
  }
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    const response = await fetch(`${endpoint}/health`)
    return (await response.text()).includes('"true"')
  } catch {
    return false
  }
}

/** Port on which nothing listens at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
