import { createHash } from 'node:crypto'
import * as client from 'openid-client'
import { providerFetch } from '../../../apiserver/platform/logins/connectors/providerFetch.ts'
import type { GivenServerOptions } from '../../../apiserver/runtime/options/serverOptions.ts'
import { LoginServer } from '../logins/support/loginServer.ts'
import { PlatformBrowser } from './platformBrowser.ts'

export const password = 'a password of a user'
export const callback = 'https://client.test/callback'
export const secret = 'a secret of the client: 0123456789'

/** Client with a secret, and client without. */
export const clients = [
  { name: 'The application', clientId: 'app', clientSecret: secret, redirectURIs: [callback] },
  { clientId: 'program', redirectURIs: [callback] },
]

type Configuration = client.Configuration
export type Tokens = client.TokenEndpointResponse & client.TokenEndpointResponseHelpers

/** Started login at the provider. */
export interface Begun {
  url: string
  verifier: string
  state: string
  nonce: string
}

/** Server that is an OpenID provider, and a client of it: the certified library. */
export class ProviderServer {
  readonly server: LoginServer
  /** URL of the provider, as in its certificate. */
  readonly url: string

  private constructor(server: LoginServer) {
    this.server = server
    this.url = server.running.url
  }

  static async start(options: GivenServerOptions = {}): Promise<ProviderServer> {
    return new ProviderServer(await LoginServer.start({ adminPassword: password, ...options }))
  }

  get issuer(): string {
    return `${this.url}/oidc`
  }

  stop(): Promise<void> {
    return this.server.stop()
  }

  configure(oidc: Record<string, unknown> = {}, rest: Record<string, unknown> = {}): Promise<void> {
    return this.server.configure({ oidc: { enabled: true, clients, ...oidc }, ...rest })
  }

  /** Creates a user who can log in with the password of these tests. */
  async makeUser(name: string, spec: Record<string, unknown> = {}): Promise<void> {
    const hash = createHash('sha256').update(password).digest('hex')
    const ref = { secretName: `password-${name}`, secretNamespace: 'default', key: 'password' }
    const data = { password: Buffer.from(hash).toString('base64') }
    const metadata = { name: ref.secretName }
    await this.server.request('POST', '/api/v1/namespaces/default/secrets', { metadata, data })
    await this.server.makeUser(name, { username: name, passwordRef: ref, ...spec })
  }

  /** Client as configured by the library from the provider's discovery document. */
  async client(
    clientId = 'app',
    clientSecret: string | undefined = clientId === 'app' ? secret : undefined,
    authentication = clientSecret === undefined
      ? client.None()
      : client.ClientSecretBasic(clientSecret),
  ): Promise<Configuration> {
    const configuration = await client.discovery(
      new URL(this.issuer),
      clientId,
      clientSecret,
      authentication,
      { [client.customFetch]: providerFetch({ insecure: true }) },
    )
    client.enableNonRepudiationChecks(configuration)
    return configuration
  }

  async begin(
    configuration: Configuration,
    parameters: Record<string, string> = {},
  ): Promise<Begun> {
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const nonce = client.randomNonce()
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      scope: 'openid email profile groups offline_access',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...{ state, nonce, ...parameters },
    })
    return { url: url.href, verifier, state, nonce }
  }

  /** Exchanges the code in the address to which the client was redirected. */
  finish(configuration: Configuration, returned: string, begun: Begun): Promise<Tokens> {
    return client.authorizationCodeGrant(configuration, new URL(returned), {
      pkceCodeVerifier: begun.verifier,
      expectedState: begun.state,
      expectedNonce: begun.nonce,
      idTokenExpected: true,
    })
  }

  /** Runs a complete login. */
  async logIn(
    username: string,
    {
      configuration,
      browser = new PlatformBrowser({ username, password }),
      parameters = {},
    }: {
      configuration: Configuration
      browser?: PlatformBrowser
      parameters?: Record<string, string>
    },
  ): Promise<Tokens> {
    const begun = await this.begin(configuration, parameters)
    const { url, text } = await browser.open(begun.url)
    if (!url.startsWith(callback)) throw new Error(`the browser stopped at ${url}: ${text}`)
    return this.finish(configuration, url, begun)
  }

  userInfo(configuration: Configuration, tokens: Tokens): Promise<client.UserInfoResponse> {
    return client.fetchUserInfo(configuration, tokens.access_token, tokens.claims()?.sub ?? '')
  }

  refresh(configuration: Configuration, token: string | undefined): Promise<Tokens> {
    return client.refreshTokenGrant(configuration, token ?? '')
  }
}

/** Error code of the provider's refusal, from the library. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'nothing was refused'
  } catch (error) {
    if (error instanceof client.ResponseBodyError) return error.error
    if (error instanceof client.AuthorizationResponseError) return error.error
    if (error instanceof client.WWWAuthenticateChallengeError) {
      return error.cause[0]?.parameters.error ?? String(error.status)
    }
    throw error
  }
}
