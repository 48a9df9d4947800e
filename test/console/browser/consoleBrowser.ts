import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { GivenServerOptions, RunningServer } from '../../../apiserver/runtime/serverOptions.ts'
import { startServer } from '../../../apiserver/server.ts'
import { buildConsole } from '../../../hack/console/buildConsole.ts'
import { chromiumProgram, DevTools } from '../../conformance/browser/devTools.ts'
import { Workspace } from '../../conformance/support/workspace.ts'
import { ConsolePage } from './consolePage.ts'

export const group = '/apis/management.platform/v1'
const browserSeconds = 600

/** A server with the console, and a browser; close() ends both. */
export class ConsoleBrowser {
  readonly #workspace: Workspace
  readonly #folder: string
  readonly #tools: DevTools
  server: RunningServer

  private constructor(
    workspace: Workspace,
    folder: string,
    tools: DevTools,
    server: RunningServer,
  ) {
    this.#workspace = workspace
    this.#folder = folder
    this.#tools = tools
    this.server = server
  }

  /** Undefined: this machine has no browser. */
  static async open(options: GivenServerOptions = {}): Promise<ConsoleBrowser | undefined> {
    const program = chromiumProgram()
    if (program === undefined) return undefined
    const folder = await mkdtemp(join(tmpdir(), 'console-'))
    await buildConsole(join(folder, 'console'))
    const workspace = new Workspace()
    const tools = await DevTools.start(workspace, program, browserSeconds)
    return new ConsoleBrowser(workspace, folder, tools, await serve(folder, options))
  }

  /** Ends the server and starts it on the same data and port. */
  async restart(meanwhile: () => Promise<void>): Promise<void> {
    const securePort = Number(new URL(this.server.url).port)
    await this.server.stop()
    await meanwhile()
    this.server = await serve(this.#folder, { securePort })
  }

  page(context?: string): Promise<ConsolePage> {
    return ConsolePage.open(this.#tools, context)
  }

  /** Page of a user who signed in with a key; the administrator's without one. */
  async signedIn(key = this.server.adminAccessKey): Promise<ConsolePage> {
    const page = await this.page()
    await page.useScheme('light')
    await page.goTo(`${this.server.url}/console/`)
    await page.click('Use an access key')
    await page.fill('#key', key)
    await page.press('Enter')
    await page.shows('Overview')
    return page
  }

  /** Goes to an address of the console, such as `#/keys`. */
  async at(page: ConsolePage, address: string, text: string): Promise<void> {
    await page.goTo(`${this.server.url}/console/${address}`)
    await page.shows(text)
  }

  /** Sends a request as the administrator; gives the object. */
  async call<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const response = await fetch(`${this.server.insecureUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.server.adminAccessKey}`, 'content-type': type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return (await response.json()) as T
  }

  /** A user without any role; gives the user's key. */
  async user(name: string): Promise<string> {
    await this.call('POST', `${group}/users`, {
      metadata: { name },
      spec: { username: name, subject: name },
    })
    const key = await this.call<{ spec: { key: string } }>('POST', `${group}/ownedaccesskeys`, {
      metadata: { name: `key-of-${name}` },
      spec: { user: name },
    })
    return key.spec.key
  }

  async close(): Promise<void> {
    await this.#tools.close()
    await this.server.stop()
    this.#workspace.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

function serve(folder: string, options: GivenServerOptions): Promise<RunningServer> {
  const consoleFolder = pathToFileURL(join(folder, 'console/'))
  return startServer(
    {
      dataDir: join(folder, 'data'),
      securePort: 0,
      insecurePort: 0,
      logLevel: 'silent',
      shutdownGraceSeconds: 1,
      ...options,
    },
    { consoleFolder },
  )
}
