import { once } from 'node:events'
import WebSocket from 'ws'
import { RunningCommand } from '../support/command.ts'
import { findOnPath } from '../support/kubectlBinaries.ts'
import type { Workspace } from '../support/workspace.ts'

export type Fields = Record<string, unknown>
type Listener = (method: string, params: Fields) => void

interface Message {
  id?: number
  result?: Fields
  error?: { message: string }
  method?: string
  params?: Fields
  sessionId?: string
}

/** Browser of this machine; undefined: none. */
export function chromiumProgram(): string | undefined {
  return ['chromium', 'chromium-browser', 'google-chrome'].map(findOnPath).find(Boolean)
}

const startSeconds = 20
const lifetimeSeconds = 120

/**
 * Headless browser, controlled over the protocol of its developer tools. Source: Chrome DevTools
 * Protocol.
 */
export class DevTools {
  readonly #command: RunningCommand
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (message: Message) => void>()
  readonly #listeners = new Map<string, Listener>()
  #sent = 0

  private constructor(command: RunningCommand, socket: WebSocket) {
    this.#command = command
    this.#socket = socket
    socket.on('message', (data: Buffer) => this.#received(JSON.parse(data.toString()) as Message))
  }

  static async start(
    workspace: Workspace,
    program: string,
    timeoutSeconds = lifetimeSeconds,
  ): Promise<DevTools> {
    const flags = [
      ...['--headless=new', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
      // The certificates of the tests are self-signed; the sandbox needs rights that a container
      // lacks.
      ...['--ignore-certificate-errors', '--no-sandbox', '--disable-dev-shm-usage'],
      ...['--remote-debugging-port=0', `--user-data-dir=${workspace.folder('chromium')}`],
    ]
    const command = new RunningCommand(workspace, [program, ...flags, 'about:blank'], {
      timeoutSeconds,
    })
    await command.until(({ stderr }) => addressIn(stderr) !== undefined, startSeconds)
    const socket = new WebSocket(addressIn(command.stderr) ?? '')
    await once(socket, 'open')
    return new DevTools(command, socket)
  }

  async close(): Promise<void> {
    this.#socket.terminate()
    this.#command.stop()
    await this.#command.done
  }

  /** @throws Error with the browser's message. */
  send(method: string, params: Fields = {}, sessionId?: string): Promise<Fields> {
    const id = ++this.#sent
    const message = { id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ error, result = {} }) => {
        if (error === undefined) resolve(result)
        else reject(new Error(`${method}: ${error.message}`))
      })
      this.#socket.send(JSON.stringify(message))
    })
  }

  /** Subscribes to the events of one page. */
  listen(sessionId: string, listener: Listener): void {
    this.#listeners.set(sessionId, listener)
  }

  #received(message: Message): void {
    const { id, method, params = {}, sessionId = '' } = message
    if (id !== undefined) {
      this.#waiting.get(id)?.(message)
      this.#waiting.delete(id)
    } else if (method !== undefined) this.#listeners.get(sessionId)?.(method, params)
  }
}

function addressIn(text: string): string | undefined {
  return /DevTools listening on (ws:\S+)/.exec(text)?.[1]
}
