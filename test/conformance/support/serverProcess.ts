import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { ApiClient } from './apiClient.ts'
import { RunningCommand } from './command.ts'
import type { Workspace } from './workspace.ts'

export interface Surroundings {
  workspace: Workspace
  /** The built main.js. */
  program: string
  /**
   * The etcd for the objects of servers, each with a separate prefix. Absent: servers use LevelDB.
   */
  etcd?: string | undefined
  /** Prefix shared by all servers. Absent: each has a separate prefix. */
  etcdPrefix?: string
}

interface Urls {
  secure: string
  insecure: string
}

const startSeconds = 20
const stopSeconds = 20
/** Maximum lifetime of a server, whatever happens to its test. */
const lifetimeSeconds = 1_800

/**
 * The built server as a child process on its own data folder. start(), stop() and kill() may be
 * repeated: every later start has the same folder and the same ports.
 */
export class ServerProcess {
  readonly kubeconfig: string
  readonly #around: Surroundings
  readonly #folder: string
  readonly #etcdPrefix: string
  #command: RunningCommand | undefined
  #urls: Urls | undefined

  constructor(around: Surroundings, label: string) {
    this.#around = around
    this.#folder = around.workspace.folder(`server-${label}`)
    this.#etcdPrefix = around.etcdPrefix ?? `/${basename(this.#folder)}-${randomUUID()}`
    this.kubeconfig = join(this.#folder, 'kubeconfig')
  }

  /** URLs of the server. @throws Error before the first start. */
  get urls(): Urls {
    if (this.#urls === undefined) throw new Error('The server was not started yet')
    return this.#urls
  }

  /**
   * Resolves once the server reports that it serves; rejects if it ends before. `flags` are only
   * for this start.
   */
  async start(flags: readonly string[] = []): Promise<void> {
    const commandLine = [...this.#commandLine(), ...flags]
    const command = new RunningCommand(this.#around.workspace, commandLine, {
      timeoutSeconds: lifetimeSeconds,
    })
    this.#command = command
    await command.until((written) => urlsOf(written) !== undefined, startSeconds)
    this.#urls = urlsOf(command)
  }

  /** Asks the server to stop and waits for it. */
  async stop(): Promise<void> {
    const command = this.#command
    if (command === undefined) return
    command.stop('SIGTERM')
    const timer = setTimeout(() => command.stop('SIGKILL'), stopSeconds * 1000)
    const { code, stderr } = await command.done.finally(() => clearTimeout(timer))
    if (code !== 0) throw new Error(`The server ended with ${code} after SIGTERM:\n${stderr}`)
  }

  /** Kills the server, like a crash. Has no effect if it has already ended. */
  async kill(): Promise<void> {
    this.#command?.stop('SIGKILL')
    await this.#command?.done
  }

  /** Client with the admin's access key, over plain HTTP. */
  client(): ApiClient {
    return new ApiClient(this.urls.insecure, this.credentials().token)
  }

  /** Credentials in the server's kubeconfig. */
  credentials(): { token: string; certificateAuthority: Buffer } {
    // The file has the form that every Kubernetes client reads.
    const config = parse(readFileSync(this.kubeconfig, 'utf8')) as {
      clusters: [{ cluster: { 'certificate-authority-data': string } }]
      users: [{ user: { token: string } }]
    }
    const authority = config.clusters[0].cluster['certificate-authority-data']
    return {
      token: config.users[0].user.token,
      certificateAuthority: Buffer.from(authority, 'base64'),
    }
  }

  #commandLine(): string[] {
    const { secure = '', insecure = '' } = this.#urls ?? {}
    const flags = {
      'data-dir': join(this.#folder, 'data'),
      'secure-port': portOf(secure),
      'insecure-port': portOf(insecure),
      'kubeconfig-out': this.kubeconfig,
    }
    const { etcd } = this.#around
    const inEtcd = { storage: 'etcd', 'etcd-servers': etcd ?? '', 'etcd-prefix': this.#etcdPrefix }
    const given = Object.entries({ ...flags, ...(etcd === undefined ? {} : inEtcd) }).flatMap(
      ([flag, value]) => [`--${flag}`, value],
    )
    return [process.execPath, this.#around.program, 'serve', ...given]
  }
}

function portOf(url: string): string {
  return url === '' ? '0' : new URL(url).port
}

/** URLs from the line on standard output and, for plain HTTP, from the equivalent log line. */
function urlsOf({ stdout, stderr }: RunningCommand): Urls | undefined {
  const secure = /^serving (https:\S+)$/m.exec(stdout)?.[1]
  const insecure = /"insecureUrl":"([^"]+)"/.exec(stderr)?.[1]
  return secure === undefined || insecure === undefined ? undefined : { secure, insecure }
}
