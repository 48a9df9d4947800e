import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HttpClient } from '../endpoints/support/httpClient.ts'
import { freePort } from './etcd/etcdServer.ts'
import { endWithTests } from './startedProcesses.ts'

const main = fileURLToPath(new URL('../../apiserver/main.ts', import.meta.url))

/** Server in a separate process, with a separate data folder. */
export class ServerProcess {
  readonly folder: string
  readonly port: number
  readonly #flags: readonly string[]
  #process: ChildProcess | undefined
  #errors = ''

  private constructor(folder: string, flags: readonly string[], port: number) {
    this.folder = folder
    this.#flags = flags
    this.port = port
  }

  static async start(folder: string, ...flags: string[]): Promise<ServerProcess> {
    const server = new ServerProcess(folder, flags, await freePort())
    await server.restart()
    return server
  }

  /** Resolves when it serves. */
  async restart(): Promise<void> {
    const flags = [...this.#flags, '--data-dir', this.folder]
    const ports = ['--secure-port', '0', '--insecure-port', String(this.port)]
    const started = spawn(
      process.execPath,
      ['--import=tsx', main, 'serve', ...flags, ...ports, '--shutdown-grace-seconds', '1'],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    this.#process = started
    endWithTests(started)
    started.stderr.on('data', (text: Buffer) => (this.#errors += text.toString()))
    const ended = once(started, 'exit').then(() => {
      throw new Error(`the server has ended: ${this.#errors}`)
    })
    ended.catch(() => undefined) // Of interest only until it serves.
    await Promise.race([once(started.stdout, 'data'), ended])
  }

  /** Client of the administrator. */
  async admin(): Promise<HttpClient> {
    return this.client((await readFile(join(this.folder, 'admin-access-key'), 'utf8')).trim())
  }

  client(token: string): HttpClient {
    return new HttpClient(`http://127.0.0.1:${this.port}`, { authorization: `Bearer ${token}` })
  }

  /** Identity in the leader election, which its start logs. */
  identity(): string {
    const found = [...this.#errors.matchAll(/"identity":"([^"]+)"/g)].at(-1)
    return found?.[1] ?? ''
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal)
  }

  /** Resolves when the process has ended. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process
    this.#process = undefined
    if (running === undefined || running.exitCode !== null) return
    const ended = once(running, 'exit')
    running.kill(signal)
    await ended
  }
}
