import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose'

/** Creates the forged ID token of a provider. */
export type Forgery = (claims: JWTPayload, tools: ForgedProvider) => Promise<string>

/**
 * Server written for these tests that implements the protocol of an OpenID provider, with forged
 * responses. It cannot show that logins work, only that forgeries are refused.
 */
export class ForgedProvider {
  url = ''
  clientSecret = 'a secret of the client: 0123456789'
  /** Claims of the next ID token in addition to the default ones. */
  claims: JWTPayload = {}
  forge: Forgery = (claims, { sign }) => sign(claims)
  /** Refresh token in every response to a token request; undefined: none. */
  refreshToken: string | undefined
  /** Replacement of the token response. */
  fault: ((response: ServerResponse) => void) | undefined
  /** Client credentials of the last token request, as `id:secret`. */
  client = ''
  /** Parameters of the last authorization request. */
  asked = new URLSearchParams()
  jwk: Record<string, unknown> = {}
  #key: CryptoKey | undefined
  readonly #server: Server

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  async start(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    this.#key = privateKey
    this.jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  sign = async (claims: JWTPayload): Promise<string> => {
    // start() created the key.
    const key = this.#key as CryptoKey
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(key)
  }

  usualClaims(): JWTPayload {
    const now = Math.floor(Date.now() / 1000)
    const nonce = this.asked.get('nonce')
    return {
      iss: this.url,
      sub: 'victim',
      aud: 'platform',
      iat: now,
      exp: now + 300,
      preferred_username: 'victim',
      ...(nonce === null ? {} : { nonce }),
      ...this.claims,
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url)
    const json = (value: unknown) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(value))
    }
    if (url.pathname === '/.well-known/openid-configuration') return json(this.#discovery())
    if (url.pathname === '/jwks') return json({ keys: [this.jwk] })
    if (url.pathname === '/authorize') {
      this.asked = url.searchParams
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', 'a-code')
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      back.searchParams.set('iss', this.url)
      response.writeHead(302, { location: back.href }).end()
      return
    }
    const basic = /^Basic (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    this.client = decodeURIComponent(Buffer.from(basic, 'base64').toString())
    if (this.fault !== undefined) return this.fault(response)
    const token = await this.forge(this.usualClaims(), this)
    const refresh = this.refreshToken === undefined ? {} : { refresh_token: this.refreshToken }
    json({ access_token: 'at', token_type: 'Bearer', expires_in: 60, id_token: token, ...refresh })
  }

  #discovery() {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      authorization_response_iss_parameter_supported: true,
    }
  }
}
