import type * as OpenId from 'openid-client'
import { isLoopback } from '../loopback.ts'
import { brokenLogin, forbiddenLogin } from '../loginRefusals.ts'
import type { ClientSettings, ConnectorOptions, LoginReturn, LoginStart } from './connector.ts'

/** The authorization-code flow with PKCE, state and nonce. Source: RFC 6749, 7636, 9207; OpenID Connect Core 3.1. */
export interface CodeFlowOptions extends ConnectorOptions {
  /** The provider's metadata, discovered at most every ten minutes, or known. */
  configuration: () => Promise<OpenId.Configuration>
  scope: string
  /** Additional parameters of the authorization URL. Default: none. */
  parameters?: Readonly<Record<string, string>>
  /** Additional parameters of the token request. Default: none. */
  tokenParameters?: Readonly<Record<string, string>>
  /** True if the provider supports OpenID Connect and issues an ID token. */
  isOpenId: boolean
}

interface Kept {
  state: string
  verifier: string
  nonce: string | undefined
}

export type Tokens = OpenId.TokenEndpointResponse & OpenId.TokenEndpointResponseHelpers

export async function startCodeFlow(state: string, options: CodeFlowOptions): Promise<LoginStart> {
  const client = await openId()
  const configuration = await options.configuration()
  const verifier = client.randomPKCECodeVerifier()
  const nonce = options.isOpenId ? client.randomNonce() : undefined
  const url = client.buildAuthorizationUrl(configuration, {
    ...options.parameters,
    redirect_uri: options.redirectUri,
    scope: options.scope,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(nonce === undefined ? {} : { nonce }),
  })
  return { redirect: url.href, kept: { state, verifier, nonce } satisfies Kept }
}

/** Exchanges the code for tokens; signature, issuer, audience, nonce and times of the ID token are verified. */
export async function finishCodeFlow(
  { url, kept }: LoginReturn,
  options: CodeFlowOptions,
): Promise<Tokens> {
  // Sound: startCodeFlow() stored it.
  const { state, verifier, nonce } = kept as Kept
  const client = await openId()
  const configuration = await options.configuration()
  const returned = new URL(options.redirectUri)
  returned.search = url.search
  try {
    return await client.authorizationCodeGrant(
      configuration,
      returned,
      {
        expectedState: state,
        pkceCodeVerifier: verifier,
        ...(nonce === undefined ? {} : { expectedNonce: nonce, idTokenExpected: true }),
      },
      { ...options.tokenParameters },
    )
  } catch (error) {
    throw refusalOf(error, client, options.displayName)
  }
}

/**
 * Converts a rejection by the provider or an invalid response into a StatusError; other errors are returned unchanged.
 */
function refusalOf(error: unknown, client: typeof OpenId, provider: string): unknown {
  if (error instanceof client.AuthorizationResponseError) {
    const isDenied = error.error === 'access_denied'
    return isDenied
      ? forbiddenLogin(`${provider} denied access to the user`)
      : brokenLogin(`${provider} ended the login: ${error.error}`, error)
  }
  if (error instanceof client.ResponseBodyError && error.status < 500) {
    return brokenLogin(`${provider} refused the login response: ${error.error}`, error)
  }
  if (error instanceof client.ClientError && isAboutAnswer(error)) {
    return brokenLogin(`invalid response of ${provider}: ${error.message}`, error)
  }
  return error
}

/** Reports whether an error concerns the response rather than a failure of the provider. */
function isAboutAnswer({ code }: OpenId.ClientError): boolean {
  const failures = ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM']
  return code !== undefined && !failures.includes(code)
}

/** The configuration of a provider without discovery. */
export async function knownProvider(
  server: OpenId.ServerMetadata,
  { clientId = '', clientSecret = '' }: ClientSettings,
  { fetch }: Pick<ConnectorOptions, 'fetch'>,
): Promise<OpenId.Configuration> {
  const client = await openId()
  const authentication = client.ClientSecretPost(clientSecret)
  const configuration = new client.Configuration(server, clientId, clientSecret, authentication)
  prepare(client, configuration, fetch)
  if (isLoopback(server.token_endpoint)) client.allowInsecureRequests(configuration)
  return configuration
}

export function prepare(
  client: typeof OpenId,
  configuration: OpenId.Configuration,
  fetch: ConnectorOptions['fetch'],
): void {
  configuration[client.customFetch] = fetch
  configuration.timeout = 10
}

/** The library, loaded at the first login. */
export function openId(): Promise<typeof OpenId> {
  return import('openid-client')
}
