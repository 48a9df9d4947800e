import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'

/** PostgreSQL server for one test, on a free port with its own folder. */
export class Postgres {
  readonly endpoint: string
  readonly #folder: string
  readonly #bin: string
  readonly #port: number
  #process: ChildProcess | undefined

  private constructor(bin: string, folder: string, port: number) {
    this.#bin = bin
    this.#folder = folder
    this.#port = port
    this.endpoint = `postgres://tester:hidden-password@127.0.0.1:${port}/postgres`
  }

  static async open(bin: string): Promise<Postgres> {
    const folder = mkdtempSync(join(tmpdir(), 'audit-postgres-'))
    const owner = ownerOfServer()
    if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
    execFileSync(
      join(bin, 'initdb'),
      [
        '-D',
        join(folder, 'data'),
        '-U',
        'tester',
        '-A',
        'trust',
        '-N',
        '--no-locale',
        '-E',
        'UTF8',
      ],
      { stdio: 'ignore', cwd: folder, ...owner },
    )
    const postgres = new Postgres(bin, folder, await freePort())
    await postgres.start()
    return postgres
  }

  async start(): Promise<void> {
    const settings = ['-k', this.#folder, '-h', '127.0.0.1', '-p', String(this.#port), '-F']
    this.#process = spawn(
      join(this.#bin, 'postgres'),
      ['-D', join(this.#folder, 'data'), ...settings],
      { stdio: ['ignore', 'ignore', 'pipe'], cwd: this.#folder, ...ownerOfServer() },
    )
    for await (const chunk of this.#process.stderr ?? []) {
      if (String(chunk).includes('ready to accept connections')) break
    }
  }

  /** Kills the server immediately, without closing its connections. */
  async stop(): Promise<void> {
    const running = this.#process
    if (running === undefined || running.exitCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGQUIT')
    await ended
  }

  async close(): Promise<void> {
    await this.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.endpoint })
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }
}

/** Folder of the server's programs; undefined: not installed. */
export function postgresFolder(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')))
}

/** User of the server, which refuses to run as root. */
function ownerOfServer(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
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
