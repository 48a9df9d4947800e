import { cpSync } from 'node:fs'
import { ApiClient } from '../support/apiClient.ts'
import { RunningCommand, type Output } from '../support/command.ts'
import { secretsPath } from '../support/objects.ts'
import type { Surroundings } from '../support/serverProcess.ts'

export const namespace = 'damage'
const startSeconds = 30

/** State that the server acknowledged. */
export interface Acknowledged {
  /** Revisions and uids by name. */
  objects: ReadonlyMap<string, string>
  revision: number
  /** Key of the administrator. */
  token: string
}

/** Server on a data folder that may be damaged: it serves, or reports why not. */
export class FolderServer {
  readonly folder: string
  readonly #around: Surroundings
  #token: string
  #command: RunningCommand | undefined
  #url = ''

  constructor(around: Surroundings, folder: string, token: string) {
    this.#around = around
    this.folder = folder
    this.#token = token
  }

  /** Server on a copy of `folder`. */
  static ofCopy(around: Surroundings, folder: string, token: string): FolderServer {
    const copy = around.workspace.folder('damage')
    cpSync(folder, copy, { recursive: true })
    return new FolderServer(around, copy, token)
  }

  /** Output of a server that ended; undefined: it serves. */
  async start(flags: readonly string[] = []): Promise<Output | undefined> {
    const ports = ['--secure-port', '0', '--insecure-port', '0', '--data-dir', this.folder]
    const line = [process.execPath, this.#around.program, 'serve', ...ports, ...flags]
    const command = new RunningCommand(this.#around.workspace, line, { timeoutSeconds: 120 })
    this.#command = command
    const urlIn = ({ stderr }: RunningCommand) => /"insecureUrl":"([^"]+)"/.exec(stderr)?.[1]
    const isServing = (written: RunningCommand) =>
      /^serving /m.test(written.stdout) && urlIn(written) !== undefined
    const serves = command.until(isServing, startSeconds)
    const ended = await Promise.race([
      serves.then(() => undefined),
      command.done.catch((error: unknown) => ({ code: null, stdout: '', stderr: String(error) })),
    ]).catch(() => command.done)
    if (ended !== undefined) return ended
    this.#url = urlIn(command) ?? ''
    return undefined
  }

  /** Sets the token of later requests. */
  authenticate(token: string): void {
    this.#token = token
  }

  client(): ApiClient {
    return new ApiClient(this.#url, this.#token)
  }

  async acknowledged(): Promise<Acknowledged> {
    const { items, metadata } = await this.client().list(secretsPath(namespace))
    const objects = items.map(({ metadata: { name = '', uid = '', resourceVersion = '' } }) => {
      const pair: [string, string] = [name, `${resourceVersion} ${uid}`]
      return pair
    })
    const revision = Number(metadata.resourceVersion)
    return { objects: new Map(objects), revision, token: this.#token }
  }

  /** Waits for the server to end. */
  async end(signal: NodeJS.Signals): Promise<void> {
    this.#command?.stop(signal)
    await this.#command?.done
  }
}
