import { OpenIdProvider } from '../../platform/logins/support/openIdProvider.ts'
import { encodeYaml } from '../../../apiserver/encoding/yaml.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'
import { BrowserPage } from './browserPage.ts'
import { DevTools } from './devTools.ts'

export const password = 'the password of the administrator'

/** A server with a real OpenID provider, and a browser. */
export class BrowserContext {
  readonly #server: ServerProcess
  readonly #provider: OpenIdProvider
  readonly #tools: DevTools

  private constructor(server: ServerProcess, provider: OpenIdProvider, tools: DevTools) {
    this.#server = server
    this.#provider = provider
    this.#tools = tools
  }

  static async open(around: Surroundings, program: string): Promise<BrowserContext> {
    const server = new ServerProcess(around, 'browser')
    await server.start(['--admin-password', password])
    const redirectURI = `${server.urls.secure}/auth/oidc/callback`
    const provider = await OpenIdProvider.start([redirectURI])
    const { url: issuerUrl, caFile } = provider
    const clientSecret = 'a secret of the client: 0123456789'
    const oidc = { issuerUrl, clientId: 'platform', clientSecret, redirectURI, caFile }
    const config = { auth: { oidc: { ...oidc, type: 'the company' } } }
    const raw = Buffer.from(encodeYaml(config)).toString('base64')
    const path = '/apis/management.platform/v1/configs'
    await server.client().create(path, { metadata: { name: 'config' }, spec: { raw } })
    return new BrowserContext(server, provider, await DevTools.start(around.workspace, program))
  }

  get url(): string {
    return this.#server.urls.secure
  }

  page(): Promise<BrowserPage> {
    return BrowserPage.open(this.#tools)
  }

  /** User with an account at the provider. */
  know(account: string, claims: Readonly<Record<string, unknown>>): void {
    this.#provider.accounts.set(account, claims)
  }

  /** User of an access key, according to the API. */
  async userOf(key: string): Promise<unknown> {
    const path = '/apis/management.platform/v1/selves'
    const answer = await fetch(`${this.#server.urls.insecure}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
    })
    const { status } = (await answer.json()) as { status?: { user?: { name?: string } } }
    return status?.user?.name
  }

  async close(): Promise<void> {
    await this.#tools.close()
    await this.#provider.close()
    await this.#server.stop()
  }
}
