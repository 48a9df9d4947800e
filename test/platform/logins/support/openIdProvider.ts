import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Configuration } from 'oidc-provider'
import { issueAuthority, issueLeaf } from '../../../../apiserver/http/pki/issueCertificates.ts'
import { realClock } from '../../../../apiserver/runtime/realClock.ts'
import { realRandom } from '../../../../apiserver/runtime/realRandom.ts'

export type Account = Readonly<Record<string, unknown>>

/**
 * Real OpenID provider: the certified library of the package `oidc-provider`, over HTTPS with a
 * certificate of its own CA. The name entered on its login page selects the account.
 */
export class OpenIdProvider {
  /** Claims by account name, which is the `sub`. */
  readonly accounts = new Map<string, Account>()
  readonly url: string
  readonly caFile: string
  /** Changes the response of the user info endpoint. */
  onUserInfo: ((claims: Account) => Account) | undefined
  /** Parameters of token requests, in order. */
  readonly tokenRequests: Record<string, unknown>[] = []
  readonly #shutOut = new Set<string>()
  readonly #server: Server
  readonly #folder: string

  private constructor(url: string, server: Server, folder: string) {
    this.url = url
    this.#server = server
    this.#folder = folder
    this.caFile = join(folder, 'ca.pem')
  }

  static async start(redirectUris: string[]): Promise<OpenIdProvider> {
    const sources = { clock: realClock, random: realRandom }
    const authority = await issueAuthority(undefined, sources)
    const leaf = await issueLeaf(authority, ['127.0.0.1'], sources)
    const folder = await mkdtemp(join(tmpdir(), 'provider-'))
    await writeFile(join(folder, 'ca.pem'), authority.cert)
    const server = createServer(leaf)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const provider = new OpenIdProvider(`https://127.0.0.1:${port}`, server, folder)
    await provider.#serve(redirectUris)
    return provider
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    await rm(this.#folder, { recursive: true })
  }

  /** Disables the account, which cannot log in any more. */
  shutOut(account: string): void {
    this.#shutOut.add(account)
  }

  #account(id: string) {
    return {
      accountId: id,
      claims: async (use: string) => {
        const claims = this.accounts.get(id) ?? {}
        const changed = use === 'userinfo' ? (this.onUserInfo?.(claims) ?? claims) : claims
        return { ...changed, sub: id }
      },
    }
  }

  async #serve(redirectUris: string[]): Promise<void> {
    const { default: Provider } = await import('oidc-provider')
    const provider = new Provider(this.url, this.#configuration(redirectUris))
    const note = (context: { oidc: { params?: unknown } }) =>
      void this.tokenRequests.push({ ...(context.oidc.params as object) })
    provider.on('grant.success', note)
    provider.on('grant.error', note)
    const callback = provider.callback()
    this.#server.on('request', (request, response) => void callback(request, response))
  }

  #configuration(redirectUris: string[]): Configuration {
    return {
      clients: [
        {
          client_id: 'platform',
          client_secret: 'a secret of the client: 0123456789',
          redirect_uris: redirectUris,
          post_logout_redirect_uris: ['https://after.test/bye'],
          grant_types: ['authorization_code', 'refresh_token'],
        },
      ],
      findAccount: (_context, id) => (this.#shutOut.has(id) ? undefined : this.#account(id)),
      claims: {
        email: ['email', 'email_verified'],
        profile: ['name', 'preferred_username', 'nickname', 'department', 'picture', 'employee'],
        groups: ['groups', 'roles'],
      },
      scopes: ['openid', 'email', 'profile', 'groups', 'offline_access'],
      conformIdTokenClaims: false,
      issueRefreshToken: async () => true,
      rotateRefreshToken: true,
      features: {
        devInteractions: { enabled: true },
        rpInitiatedLogout: { enabled: true },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => [],
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({ scope: 'read', accessTokenTTL: 600 }),
        },
      },
      pkce: { required: () => true, methods: ['S256'] },
      ttl: { AccessToken: 600, IdToken: 600, Session: 600, Grant: 600, Interaction: 600 },
      cookies: { keys: ['a', 'b'] },
    }
  }
}
