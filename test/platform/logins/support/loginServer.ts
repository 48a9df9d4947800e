import { startServer, type Surroundings } from '../../../../apiserver/server.ts'
import { encodeYaml } from '../../../../apiserver/encoding/yaml.ts'
import type {
  GivenServerOptions,
  RunningServer,
} from '../../../../apiserver/runtime/options/serverOptions.ts'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import { Browser, type Page } from './browser.ts'

const group = '/apis/management.platform/v1'

/** Server with the configuration of a test, and requests to it. */
export class LoginServer {
  readonly running: RunningServer
  readonly url: string

  private constructor(running: RunningServer) {
    this.running = running
    this.url = running.insecureUrl ?? ''
  }

  static async start(
    options: GivenServerOptions = {},
    surroundings: Partial<Surroundings> = {},
  ): Promise<LoginServer> {
    const common = {
      storage: 'memory',
      securePort: 0,
      insecurePort: 0,
      logLevel: 'silent',
    } as const
    return new LoginServer(await startServer({ ...common, ...options }, surroundings))
  }

  stop(): Promise<void> {
    return this.running.stop()
  }

  /** Sets `Config.status`; resolves once it is in effect. */
  async configure(config: Record<string, unknown>): Promise<void> {
    const raw = Buffer.from(encodeYaml(config)).toString('base64')
    const { resourceVersion } = (await this.get('configs/config')).metadata
    const metadata = { name: 'config', ...(resourceVersion ? { resourceVersion } : {}) }
    await this.api('POST', 'configs', { metadata, spec: { raw } })
  }

  async api(method: string, path: string, body?: Record<string, unknown>): Promise<ApiObject> {
    const { status, value } = await this.request(method, `${group}/${path}`, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value as ApiObject
  }

  get(path: string): Promise<ApiObject> {
    return this.api('GET', path)
  }

  async list(path: string): Promise<ApiObject[]> {
    return (await this.get(path))['items'] as ApiObject[]
  }

  async makeUser(name: string, spec: Record<string, unknown>, annotations = {}): Promise<void> {
    await this.api('POST', 'users', { metadata: { name, annotations }, spec })
  }

  /** User and key details as reported to the key itself. */
  async self(key: string): Promise<Record<string, unknown>> {
    const { value } = await this.request('POST', `${group}/selves`, {}, key)
    return (value as { status: Record<string, unknown> }).status
  }

  /** Key created by a login, as seen by an administrator. */
  async keyObject(key: string): Promise<Record<string, unknown>> {
    const { accessKey } = await this.self(key)
    return (await this.get(`ownedaccesskeys/${String(accessKey)}`))['spec'] as never
  }

  async request(
    method: string,
    path: string,
    body?: unknown,
    key = this.running.adminAccessKey,
  ): Promise<{ status: number; value: unknown; headers: Headers }> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const value: unknown = text === '' ? undefined : JSON.parse(text)
    return { status: response.status, value, headers: response.headers }
  }

  passwordLogin(username: string, password: string) {
    return this.request('POST', '/auth/password/login', { username, password })
  }

  /**
   * Logs in through a provider whose pages a browser fills in as `user`. @returns the last page.
   */
  async browse(connector: string, user: string, query = ''): Promise<Page> {
    return new Browser(user).open(`${this.url}/auth/${connector}/login${query}`)
  }
}

/** Key on the last page of a login. */
export function keyOf({ text }: Page): string {
  const key = /id="key" value="([^"]+)"/.exec(text)?.[1]
  if (key === undefined) throw new Error(`no key: ${text}`)
  return key
}

/** Message on the page of a failed login. */
export function alertOf({ text, status }: Page): string {
  const message = /role="alert">([^<]*)</.exec(text)?.[1]
  return `${status} ${message ?? text}`
}
