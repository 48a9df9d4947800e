import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto'
import { expect } from 'chai'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import * as client from 'openid-client'
import { providerFetch } from '../../../apiserver/platform/logins/connectors/providerFetch.ts'
import { PlatformBrowser } from './platformBrowser.ts'
import { callback, password, ProviderServer, refusalOf, secret } from './providerServer.ts'

const fetch = providerFetch({ insecure: true })

/** Attacks by clients, visitors, and intermediaries. */
describe('the platform as an OpenID provider: attacks', function () {
  this.timeout(30_000)
  let provider: ProviderServer
  let configuration: client.Configuration
  let browser: PlatformBrowser

  before(async () => {
    provider = await ProviderServer.start()
    await provider.configure()
    await provider.makeUser('jane')
    configuration = await provider.client()
    browser = new PlatformBrowser({ username: 'jane', password })
    await provider.logIn('jane', { configuration, browser })
  })
  after(() => provider.stop())

  /** Logs in up to the code. */
  const code = async (parameters: Record<string, string> = {}) => {
    const begun = await provider.begin(configuration, parameters)
    const { url } = await browser.open(begun.url)
    return { begun, url, code: new URL(url).searchParams.get('code') ?? '' }
  }
  const post = async (
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(provider.issuer + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields),
    })
    const text = await response.text()
    const { error } = JSON.parse(text || '{}') as { error?: string }
    return { status: response.status, error }
  }
  const trade = (fields: Record<string, string>) =>
    post('/token', {
      grant_type: 'authorization_code',
      redirect_uri: callback,
      client_id: 'app',
      client_secret: secret,
      ...fields,
    })
  const alert = ({ status, text }: { status: number; text: string }) =>
    `${status} ${/role="alert">([^<]*)/.exec(text)?.[1] ?? text}`

  it('a code is valid once: a second use revokes everything it granted', async () => {
    const { begun, url } = await code()
    const tokens = await provider.finish(configuration, url, begun)
    expect(await refusalOf(provider.finish(configuration, url, begun))).to.equal('invalid_grant')
    expect(await refusalOf(provider.userInfo(configuration, tokens))).to.equal('invalid_token')
    expect(await refusalOf(provider.refresh(configuration, tokens.refresh_token))).to.equal(
      'invalid_grant',
    )
  })

  it('a code used twice concurrently is valid at most once', async () => {
    const { begun, url } = await code()
    const tries = Array.from({ length: 5 }, () => provider.finish(configuration, url, begun))
    const results = await Promise.allSettled(tries)
    expect(results.filter(({ status }) => status === 'fulfilled').length).to.be.at.most(1)
  })

  it('a refresh token of a public client is valid once: a second use revokes them all', async () => {
    const program = await provider.client('program')
    const tokens = await provider.logIn('jane', { configuration: program, browser })
    const next = await provider.refresh(program, tokens.refresh_token)
    expect(next.refresh_token).not.to.equal(tokens.refresh_token)
    expect(await refusalOf(provider.refresh(program, tokens.refresh_token))).to.equal(
      'invalid_grant',
    )
    expect(await refusalOf(provider.refresh(program, next.refresh_token))).to.equal('invalid_grant')
  })

  describe('PKCE', () => {
    const downgrades = [
      {
        name: 'no challenge by a public client',
        client: 'program',
        remove: ['code_challenge', 'code_challenge_method'],
      },
      {
        name: 'neither challenge nor nonce',
        client: 'app',
        remove: ['code_challenge', 'code_challenge_method', 'nonce'],
      },
      { name: 'no method', client: 'app', remove: ['code_challenge_method'] },
      { name: 'the plain method', client: 'app', set: { code_challenge_method: 'plain' } },
    ]
    for (const { name, client: id, remove = [], set = {} } of downgrades) {
      it(`refuses ${name}`, async () => {
        const begun = await provider.begin(await provider.client(id))
        const url = new URL(begun.url)
        for (const parameter of remove) url.searchParams.delete(parameter)
        for (const [parameter, value] of Object.entries<string>(set)) {
          url.searchParams.set(parameter, value)
        }
        const { searchParams } = new URL((await browser.open(url.href)).url)
        expect(searchParams.get('error')).to.equal('invalid_request')
      })
    }

    it('refuses a code without the verifier, with another one, and one without a challenge', async () => {
      const first = await code()
      expect(await trade({ code: first.code })).to.deep.equal({
        status: 400,
        error: 'invalid_grant',
      })
      const second = await code()
      const verifier = client.randomPKCECodeVerifier()
      expect(await trade({ code: second.code, code_verifier: verifier })).to.deep.equal({
        status: 400,
        error: 'invalid_grant',
      })
      const begun = await provider.begin(configuration)
      const url = new URL(begun.url)
      for (const name of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(name)
      const returned = new URL((await browser.open(url.href)).url)
      expect(
        await trade({
          code: returned.searchParams.get('code') ?? '',
          code_verifier: begun.verifier,
        }),
      ).to.deep.equal({ status: 400, error: 'invalid_grant' })
    })
  })

  describe('clients', () => {
    it('accepts the secret in the header and in the body, and no other', async () => {
      const inBody = await provider.client('app', secret, client.ClientSecretPost(secret))
      await provider.logIn('jane', { configuration: inBody, browser })
      const wrong = { client_secret: `${secret}x` }
      for (const fields of [wrong, { client_secret: '' }]) {
        const { begun, code: fresh } = await code()
        expect(
          await trade({ code: fresh, code_verifier: begun.verifier, ...fields }),
        ).to.deep.equal({
          status: 401,
          error: 'invalid_client',
        })
      }
    })

    it('refuses a code of another client', async () => {
      const { begun, code: fresh } = await code()
      const fields = { code: fresh, code_verifier: begun.verifier, client_id: 'program' }
      const rest = { grant_type: 'authorization_code', redirect_uri: callback }
      expect(await post('/token', { ...rest, ...fields })).to.deep.equal({
        status: 400,
        error: 'invalid_grant',
      })
    })

    it('refuses a code with another redirect URI', async () => {
      const { begun, code: fresh } = await code()
      const fields = { code: fresh, code_verifier: begun.verifier }
      expect(await trade({ ...fields, redirect_uri: `${callback}/` })).to.deep.equal({
        status: 400,
        error: 'invalid_grant',
      })
    })

    const now = () => Math.floor(Date.now() / 1000)
    const claims = () => ({
      iss: 'app',
      sub: 'app',
      aud: `${provider.issuer}/token`,
      jti: `j${Math.random()}`,
      iat: now(),
      exp: now() + 60,
    })
    const publicKey = async () => {
      const { value } = await provider.server.request('GET', '/oidc/jwks')
      // The first key signs.
      return (value as { keys: [JsonWebKey & { kid: string }] }).keys[0]
    }
    const asSecret = (jwk: JsonWebKey) =>
      String(createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }))

    it('accepts no assertion in place of a secret, whatever signed it', async () => {
      const { begun, code: fresh } = await code()
      const text = new TextEncoder()
      const { privateKey } = await generateKeyPair('RS256')
      const assertions = [
        new UnsecuredJWT(claims()).encode(),
        await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256' }).sign(text.encode(secret)),
        await new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256' })
          .sign(text.encode(asSecret(await publicKey()))),
        await new SignJWT(claims()).setProtectedHeader({ alg: 'RS256' }).sign(privateKey),
      ]
      for (const assertion of assertions) {
        const answer = await post('/token', {
          grant_type: 'authorization_code',
          client_id: 'app',
          redirect_uri: callback,
          code: fresh,
          code_verifier: begun.verifier,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: assertion,
        })
        expect(answer).to.deep.equal({ status: 401, error: 'invalid_client' })
      }
    })

    it('ignores user hints not signed by its own key', async () => {
      const tokens = await provider.logIn('jane', { configuration, browser })
      const hint = { ...tokens.claims() }
      const jwk = await publicKey()
      const { privateKey, publicKey: own } = await generateKeyPair('RS256')
      const header = { alg: 'HS256', kid: jwk.kid }
      const [head = '', body = ''] = (tokens.id_token ?? '').split('.')
      const confused = [Buffer.from(JSON.stringify(header)).toString('base64url'), body].join('.')
      const forged = [
        new UnsecuredJWT(hint).encode(),
        `${confused}.${createHmac('sha256', asSecret(jwk)).update(confused).digest('base64url')}`,
        await new SignJWT(hint)
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(secret)),
        await new SignJWT(hint).setProtectedHeader({ alg: 'RS256', kid: jwk.kid }).sign(privateKey),
        await new SignJWT(hint)
          .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(own) })
          .sign(privateKey),
        `${head}.${body}.`,
      ]
      for (const token of forged) {
        const query = new URLSearchParams({
          id_token_hint: token,
          post_logout_redirect_uri: callback,
        })
        const page = await new PlatformBrowser().open(
          `${provider.issuer}/logout?${query.toString()}`,
        )
        expect(page.status, alert(page)).to.equal(400)
        const begun = await provider.begin(configuration, { id_token_hint: token, prompt: 'none' })
        const { searchParams } = new URL((await browser.open(begun.url)).url)
        expect(searchParams.get('error')).to.equal('invalid_request')
      }
    })
  })

  describe('redirects', () => {
    const uris = [
      'https://evil.test/callback',
      'https://client.test.evil.test/callback',
      'https://client.test@evil.test/callback',
      `${callback}/../x`,
      `${callback}#fragment`,
      'https://CLIENT.test/callback',
      'http://client.test/callback',
      'javascript:alert(1)',
      '//evil.test',
      '/auth/logout',
      '',
    ]
    for (const uri of uris) {
      it(`does not redirect to ${uri || 'an empty address'}: a page gives the reason`, async () => {
        const begun = await provider.begin(configuration)
        const url = new URL(begun.url)
        url.searchParams.set('redirect_uri', uri)
        browser.client = 'nowhere.test'
        const page = await browser.open(url.href).finally(() => (browser.client = 'client.test'))
        expect([page.status, new URL(page.url).origin]).to.deep.equal([400, provider.url])
        expect(page.headers.get('content-security-policy')).to.include("default-src 'none'")
      })
    }

    it('does not redirect if the address is missing or repeated, or the client is unknown', async () => {
      const begun = await provider.begin(configuration)
      const urls = [
        (url: URL) => url.searchParams.delete('redirect_uri'),
        (url: URL) => url.searchParams.append('redirect_uri', 'https://evil.test/'),
        (url: URL) => url.searchParams.set('client_id', 'nobody'),
        (url: URL) => url.searchParams.delete('client_id'),
      ]
      for (const change of urls) {
        const url = new URL(begun.url)
        change(url)
        const { status } = await fetch(url, { headers: { accept: 'text/html' } })
        expect(status).to.equal(400)
      }
    })

    it('the login page leads back to the provider only', async () => {
      for (const id of ['//evil.test', 'https://evil.test', '../../x', 'x', `"><script>`]) {
        const page = await new PlatformBrowser().open(
          `${provider.url}/login?oidc=${encodeURIComponent(id)}`,
        )
        expect(page.text).not.to.include('oidc')
        expect(page.text).not.to.include('evil')
      }
    })

    it('addresses are those of the issuer, whatever host the request names', async () => {
      const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test' }
      const response = await fetch(`${provider.issuer}/.well-known/openid-configuration`, {
        headers,
      })
      expect(await response.text()).not.to.include('evil')
      const begun = await provider.begin(configuration)
      const start = await fetch(begun.url, { headers })
      expect([start.status, start.headers.get('location')?.slice(0, 18)]).to.deep.equal([
        303,
        '/oidc/interaction/',
      ])
    })
  })

  it('a login begun in another browser cannot be used', async () => {
    const begun = await provider.begin(configuration)
    const victim = new PlatformBrowser()
    const { url } = await victim.open(begun.url)
    const id = new URL(url).searchParams.get('oidc') ?? ''
    const page = await browser.open(`${provider.issuer}/interaction/${id}`)
    expect(alert(page)).to.match(/^400 this login is not known any more/)
    const resumed = await browser.open(`${provider.issuer}/authorize/${id}`)
    expect(resumed.status).to.equal(400)
  })

  it('a redirect URI removed from the configuration during a login is not used', async () => {
    const begun = await provider.begin(configuration)
    const waiting = new PlatformBrowser()
    const { url } = await waiting.open(begun.url)
    const other = { clientId: 'app', clientSecret: secret, redirectURIs: ['https://other.test/'] }
    await provider.configure({ clients: [other] })
    const visitor = new PlatformBrowser({ username: 'jane', password })
    visitor.take(waiting)
    const page = await visitor.open(url)
    await provider.configure()
    expect([page.status, new URL(page.url).origin]).to.deep.equal([400, provider.url])
  })

  it('a key that is not of a login, or has fewer rights than its user, gives no session', async () => {
    const made = async (spec: Record<string, unknown>) => {
      const key = await provider.server.api('POST', 'ownedaccesskeys', {
        metadata: { generateName: 'k-' },
        spec: { user: 'jane', ...spec },
      })
      return (key['spec'] as { key: string }).key
    }
    const keys = [
      await made({ type: 'User' }),
      await made({ type: 'Login', scope: { projects: [{ project: 'p' }] } }),
      'no key at all',
    ]
    for (const key of keys) {
      const visitor = new PlatformBrowser()
      visitor.put('platform-session', key, provider.url)
      const begun = await provider.begin(configuration)
      const { url } = await visitor.open(begun.url)
      expect(new URL(url).pathname).to.equal('/login')
    }
  })

  it('unknown methods and paths, and other spellings of its paths: 404', async () => {
    for (const path of ['', '/', '/nothing', '/%6awks', '/interaction/x/y']) {
      const { status } = await fetch(provider.issuer + path)
      expect(status, path).to.equal(404)
    }
    const encoded = await fetch(`${provider.url}/%6fidc/jwks`)
    expect(encoded.status).to.equal(404)
    const method = await fetch(`${provider.issuer}/token`)
    expect(method.status).to.equal(404)
  })

  it('guessing secrets and starting many logins are rate-limited', async () => {
    const own = await ProviderServer.start()
    try {
      await own.configure()
      const guess = (clientSecret: string) =>
        fetch(`${own.issuer}/token`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({
            grant_type: 'refresh_token',
            refresh_token: 'x',
            client_id: 'app',
            client_secret: clientSecret,
          }),
        }).then(({ status }) => status)
      const statuses = await Promise.all(Array.from({ length: 110 }, (_, at) => guess(`s${at}`)))
      expect(statuses.filter((status) => status === 401).length).to.be.within(100, 109)
      expect(statuses).to.include(429)
      const begun = await own.begin(await own.client())
      const visits = await Promise.all(
        Array.from({ length: 20 }, () => fetch(begun.url).then(({ status }) => status)),
      )
      expect(visits).to.include(429)
    } finally {
      await own.stop()
    }
  })
})
