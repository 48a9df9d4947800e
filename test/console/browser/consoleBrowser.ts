import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RunningServer } from '../../../apiserver/runtime/options/serverOptions.ts'
import { startServer } from '../../../apiserver/server.ts'
import { buildConsole } from '../../../hack/package/console/buildConsole.ts'
import { chromiumProgram, DevTools } from '../../conformance/browser/devTools.ts'
import { Workspace } from '../../conformance/support/workspace.ts'
import { ConsolePage } from './consolePage.ts'

export const group = '/apis/management.platform/v1'
export const adminPassword = 'the password of the administrator'
const browserSeconds = 600

/** Server with the console, and a browser; close() ends both. */
export class ConsoleBrowser {
  readonly #workspace: Workspace
  readonly #folder: string
  readonly #tools: DevTools
  readonly #pages = new Set<ConsolePage>()
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

  /** Browser; undefined: this machine has none. */
  static async open(): Promise<ConsoleBrowser | undefined> {
    const program = chromiumProgram()
    if (program === undefined) return undefined
    const folder = await mkdtemp(join(tmpdir(), 'console-'))
    await buildConsole(join(folder, 'console'))
    const workspace = new Workspace()
    const tools = await DevTools.start(workspace, program, browserSeconds)
    return new ConsoleBrowser(workspace, folder, tools, await serve(folder))
  }

  /** Stops the server and restarts it with the same data and port. */
  async restart(meanwhile: () => Promise<void>): Promise<void> {
    const securePort = Number(new URL(this.server.url).port)
    await this.server.stop()
    await meanwhile()
    this.server = await serve(this.#folder, securePort)
  }

  /** @param context that of another page, to open a tab beside it. */
  async page(context?: string): Promise<ConsolePage> {
    const page = await ConsolePage.open(this.#tools, context)
    this.#pages.add(page)
    return page
  }

  /** Leaves a page open for further tests. */
  keep(page: ConsolePage): void {
    this.#pages.delete(page)
  }

  /** Closes every page that is not kept: unused pages cost time. */
  async closePages(): Promise<void> {
    await Promise.all([...this.#pages].map((page) => page.close().catch(() => undefined)))
    this.#pages.clear()
  }

  /**
   * Page of a user who signed in with a key; by default the administrator. @param namespace chosen;
   * empty: all.
   */
  async signedIn(key = this.server.adminAccessKey, namespace = ''): Promise<ConsolePage> {
    const page = await this.page()
    await page.useScheme('light')
    await page.goTo(`${this.server.url}/console/`)
    await page.click('Use an access key')
    await page.fill('#key', key)
    await page.evaluate(`localStorage.setItem('console-namespace ', '${namespace}')`)
    await page.press('Enter')
    await page.shows('Overview')
    return page
  }

  /** Navigates to an address of the console, such as `#/keys`. */
  async at(page: ConsolePage, address: string, text: string): Promise<void> {
    await page.goTo(`${this.server.url}/console/${address}`)
    await page.shows(text)
  }

  /** Sends a request as the administrator. @returns the object. */
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

  /** Applies fields of a core object as another manager. */
  async apply(path: string, manager: string, fields: object): Promise<void> {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...fields }
    const response = await fetch(`${this.server.insecureUrl}${path}?fieldManager=${manager}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${this.server.adminAccessKey}`,
        'content-type': 'application/apply-patch+yaml',
      },
      body: JSON.stringify(object),
    })
    if (!response.ok) throw new Error(await response.text())
  }

  /** Creates a user without any role. @returns the user's key. */
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

function serve(folder: string, securePort = 0): Promise<RunningServer> {
  const consoleFolder = pathToFileURL(join(folder, 'console/'))
  return startServer(
    {
      dataDir: join(folder, 'data'),
      securePort,
      insecurePort: 0,
      adminPassword,
      logLevel: 'silent',
      shutdownGraceSeconds: 1,
    },
    { consoleFolder },
  )
}
