import { once } from 'node:events'
import { connect } from 'node:http2'
import { expect } from 'chai'
import * as client from 'openid-client'
import { PlatformBrowser } from './platformBrowser.ts'
import { callback, password, ProviderServer, refusalOf } from './providerServer.ts'

describe('the platform as an OpenID provider', function () {
  this.timeout(30_000)
  let provider: ProviderServer
  let uid: string

  before(async () => {
    provider = await ProviderServer.start()
    await provider.configure()
    await provider.makeUser('jane', {
      displayName: 'Jane Roe',
      email: 'jane@roe.test',
      groups: ['ops', 'system:masters', 'platform:admins'],
    })
    await provider.makeUser('joe')
    await provider.server.api('POST', 'teams', {
      metadata: { name: 'blue' },
      spec: { users: ['jane'] },
    })
    uid = (await provider.server.get('users/jane')).metadata.uid ?? ''
  })
  after(() => provider.stop())

  const claims = () => ({
    sub: uid,
    name: 'Jane Roe',
    preferred_username: 'jane',
    email: 'jane@roe.test',
    email_verified: false,
    groups: ['ops', 'platform:team:blue'],
  })
  const browserOf = (username: string) => new PlatformBrowser({ username, password })
  const wentToLogin = ({ visited }: PlatformBrowser) =>
    visited.some((url) => url.startsWith(`${provider.url}/login?oidc=`))

  it('a client logs a user in with code and PKCE, through the page of the platform (reference 4, spec config.oidc)', async () => {
    const configuration = await provider.client()
    const browser = browserOf('jane')
    const tokens = await provider.logIn('jane', { configuration, browser })
    const { iat, exp, nonce, at_hash: hash, ...told } = { ...tokens.claims() }
    expect(told).to.deep.equal({ iss: provider.issuer, aud: 'app', ...claims() })
    expect([typeof nonce, typeof hash, Number(exp) - Number(iat)]).to.deep.equal([
      ...['string', 'string'],
      3600,
    ])
    expect(await provider.userInfo(configuration, tokens)).to.deep.equal(claims())
    expect(wentToLogin(browser)).to.equal(true)
  })

  it('publishes its actual capabilities only', async () => {
    const { status, value, headers } = await provider.server.request(
      'GET',
      '/oidc/.well-known/openid-configuration',
    )
    const { issuer } = provider
    expect([status, headers.get('x-content-type-options')]).to.deep.equal([200, 'nosniff'])
    expect(value).to.deep.include({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      end_session_endpoint: `${issuer}/logout`,
      revocation_endpoint: `${issuer}/revoke`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      scopes_supported: ['openid', 'offline_access', 'email', 'profile', 'groups'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: [
        ...['client_secret_basic', 'client_secret_post', 'none'],
      ],
      authorization_response_iss_parameter_supported: true,
    })
    for (const missing of ['registration_endpoint', 'introspection_endpoint']) {
      expect(value).not.to.have.property(missing)
    }
  })

  it('speaks HTTP/2, also for metadata requests without a body', async () => {
    const session = connect(provider.url, { rejectUnauthorized: false })
    const path = '/oidc/.well-known/openid-configuration'
    for (const method of ['GET', 'HEAD']) {
      const stream = session.request({ ':method': method, ':path': path })
      stream.end()
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
      const body = Buffer.concat((await stream.toArray()) as Buffer[]).toString()
      expect([headers[':status'], body.includes(provider.issuer)]).to.deep.equal([
        200,
        method === 'GET',
      ])
    }
    session.close()
  })

  it('publishes only public keys, different from those of the platform’s own tokens', async () => {
    const jwks = await provider.server.request('GET', '/oidc/jwks')
    const { keys } = jwks.value as { keys: Record<string, unknown>[] }
    const names = [...new Set(keys.flatMap((key) => Object.keys(key)))].sort()
    expect(names).to.deep.equal(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    const own = await provider.server.request('GET', '/openid/v1/jwks')
    const others = (own.value as { keys: Record<string, unknown>[] }).keys.map(({ n }) => n)
    expect(others).not.to.include(keys[0]?.['n'])
  })

  it('lets a logged-in browser pass without a page, and its session ends with the login', async () => {
    const configuration = await provider.client()
    const browser = browserOf('jane')
    await browser.open(`${provider.url}/login`)
    browser.visited.length = 0
    await provider.logIn('jane', { configuration, browser })
    expect(wentToLogin(browser)).to.equal(false)
    const key = browser.cookie('platform-session') ?? ''
    await provider.server.request('POST', '/auth/logout', undefined, key)
    const begun = await provider.begin(configuration, { prompt: 'none' })
    const { url } = await browser.open(begun.url)
    expect(await refusalOf(provider.finish(configuration, url, begun))).to.equal('login_required')
    await provider.logIn('jane', { configuration, browser })
    expect(wentToLogin(browser)).to.equal(true)
  })

  it('a mistyped password leads back to the same login', async () => {
    const configuration = await provider.client()
    const begun = await provider.begin(configuration)
    const wrong = new PlatformBrowser({ username: 'jane', password: 'wrong' })
    const { text } = await wrong.open(begun.url)
    const link = /href="(\/login\?oidc=[^"]*)">Back/.exec(text)?.[1] ?? ''
    const right = browserOf('jane')
    right.take(wrong)
    const { url } = await right.open(provider.url + link)
    expect((await provider.finish(configuration, url, begun)).claims()?.sub).to.equal(uid)
  })

  it('its cookies are unreadable to scripts, limited to its paths and encrypted connections', async () => {
    const configuration = await provider.client()
    const browser = browserOf('jane')
    await provider.logIn('jane', { configuration, browser })
    for (const name of ['platform-session', 'platform-oidc']) {
      const attributes = (browser.cookieLine(name) ?? '').toLowerCase().split('; ').slice(1)
      expect(attributes, name).to.include.members(['httponly', 'secure', 'samesite=lax'])
      expect(attributes, name).to.include('path=/oidc/')
    }
  })

  it('returns the claims of the requested scopes', async () => {
    const configuration = await provider.client()
    const parameters = { scope: 'openid groups' }
    const tokens = await provider.logIn('jane', { configuration, parameters })
    const { sub, groups } = claims()
    expect(await provider.userInfo(configuration, tokens)).to.deep.equal({ sub, groups })
    expect(tokens.refresh_token).to.equal(undefined)
  })

  it('requires a fresh login if the client asks for one', async () => {
    const configuration = await provider.client()
    const browser = browserOf('jane')
    await provider.logIn('jane', { configuration, browser })
    browser.visited.length = 0
    const parameters = { prompt: 'login', scope: 'openid' }
    await provider.logIn('jane', { configuration, browser, parameters })
    expect(wentToLogin(browser)).to.equal(true)
    const { auth_time: at } =
      (
        await provider.logIn('jane', { configuration, browser, parameters: { max_age: '1000' } })
      ).claims() ?? {}
    expect(at).to.be.closeTo(Date.now() / 1000, 30)
  })

  it('another user of the same browser gets another login, also for a client that was logged in', async () => {
    const configuration = await provider.client()
    const browser = browserOf('jane')
    const first = await provider.logIn('jane', { configuration, browser })
    const key = browser.cookie('platform-session') ?? ''
    await provider.server.request('POST', '/auth/logout', undefined, key)
    const other = browserOf('joe')
    other.take(browser)
    const second = await provider.logIn('joe', { configuration, browser: other })
    expect(second.claims()?.['preferred_username']).to.equal('joe')
    expect(second.claims()?.sub).not.to.equal(first.claims()?.sub)
  })

  it("refreshes tokens with the user's current claims", async () => {
    const configuration = await provider.client()
    const tokens = await provider.logIn('jane', { configuration })
    const jane = await provider.server.get('users/jane')
    const spec = { ...(jane['spec'] as object), displayName: 'Jane Doe' }
    await provider.server.api('PUT', 'users/jane', { ...jane, spec })
    const next = await provider.refresh(configuration, tokens.refresh_token)
    expect(next.claims()?.['name']).to.equal('Jane Doe')
    expect((await provider.userInfo(configuration, next))['name']).to.equal('Jane Doe')
    const again = await provider.server.get('users/jane')
    await provider.server.api('PUT', 'users/jane', { ...again, spec: jane['spec'] })
  })

  it('a refresh token is an access key that its user can see and revoke (reference 1.4, spec key.oidcProvider)', async () => {
    const configuration = await provider.client()
    const { user } = await keyOfRefresh(provider, async () => {
      await provider.logIn('joe', { configuration })
    })
    expect(user).to.equal('joe')
    const tokens = await provider.logIn('joe', { configuration })
    const names = await refreshKeys(provider)
    for (const name of names) {
      const key = await provider.server.get(`ownedaccesskeys/${name}`)
      const spec = { ...(key['spec'] as object), disabled: true }
      await provider.server.api('PUT', `ownedaccesskeys/${name}`, { ...key, spec })
    }
    expect(await refusalOf(provider.refresh(configuration, tokens.refresh_token))).to.equal(
      'invalid_grant',
    )
    const others = await provider.logIn('joe', { configuration })
    for (const name of await refreshKeys(provider)) {
      await provider.server.api('DELETE', `ownedaccesskeys/${name}`)
      // Another key with the same name is a different key.
      const spec = { user: 'joe', type: 'OIDCRefreshToken' }
      await provider.server.api('POST', 'ownedaccesskeys', { metadata: { name }, spec })
    }
    expect(await refusalOf(provider.refresh(configuration, others.refresh_token))).to.equal(
      'invalid_grant',
    )
  })

  it('its tokens are refused by the API', async () => {
    const configuration = await provider.client()
    const tokens = await provider.logIn('jane', { configuration })
    for (const token of [tokens.access_token, tokens.refresh_token, tokens.id_token]) {
      const path = '/apis/management.platform/v1/selves'
      const { status } = await provider.server.request('POST', path, {}, token)
      expect(status).to.equal(401)
    }
  })

  it('revokes a refresh token that a client returns', async () => {
    const configuration = await provider.client()
    const tokens = await provider.logIn('jane', { configuration })
    await client.tokenRevocation(configuration, tokens.refresh_token ?? '')
    expect(await refusalOf(provider.refresh(configuration, tokens.refresh_token))).to.equal(
      'invalid_grant',
    )
    expect(await refusalOf(provider.userInfo(configuration, tokens))).to.equal('invalid_token')
  })

  describe('logout', () => {
    const endSession = (configuration: client.Configuration, hint: string | undefined) =>
      client.buildEndSessionUrl(configuration, {
        id_token_hint: hint ?? '',
        post_logout_redirect_uri: callback,
        state: 'bye',
      }).href

    it('asks the user, ends session and login, and returns to the client', async () => {
      const configuration = await provider.client()
      const browser = browserOf('jane')
      const parameters = { scope: 'openid' }
      const tokens = await provider.logIn('jane', { configuration, browser, parameters })
      const key = browser.cookie('platform-session') ?? ''
      let asked = ''
      browser.onPage = ({ text }) => (asked ||= /<h1>(.*)<\/h1>/.exec(text)?.[1] ?? '')
      const { url } = await browser.open(endSession(configuration, tokens.id_token))
      expect([asked, url]).to.deep.equal(['Log out?', `${callback}?state=bye`])
      expect(browser.cookie('platform-session')).to.equal(undefined)
      const self = await provider.server.request(
        'POST',
        '/apis/management.platform/v1/selves',
        {},
        key,
      )
      expect(self.status).to.equal(401)
      expect(await refusalOf(provider.userInfo(configuration, tokens))).to.equal('invalid_token')
    })

    it('changes nothing if the user declines', async () => {
      const configuration = await provider.client()
      const browser = browserOf('jane')
      await provider.logIn('jane', { configuration, browser })
      browser.logout = ''
      const page = await browser.open(`${provider.issuer}/logout?client_id=app`)
      expect(page.text).to.include('logged out of The application, but still logged in here')
      browser.visited.length = 0
      await provider.logIn('jane', { configuration, browser })
      expect(wentToLogin(browser)).to.equal(false)
    })

    it('redirects only to addresses of the client', async () => {
      const configuration = await provider.client()
      const tokens = await provider.logIn('jane', { configuration })
      const url = new URL(endSession(configuration, tokens.id_token))
      url.searchParams.set('post_logout_redirect_uri', 'https://evil.test/')
      const { status, text } = await browserOf('jane').open(url.href)
      expect([status, /role="alert">([^<]*)/.exec(text)?.[1]]).to.deep.equal([
        400,
        'post_logout_redirect_uri not registered',
      ])
    })
  })
})

async function refreshKeys({ server }: ProviderServer): Promise<string[]> {
  const keys = await server.list('ownedaccesskeys')
  return keys
    .filter(({ spec }) => (spec as { type?: string }).type === 'OIDCRefreshToken')
    .map(({ metadata }) => metadata.name ?? '')
}

/** Spec of the key that `work` creates. */
async function keyOfRefresh(
  provider: ProviderServer,
  work: () => Promise<void>,
): Promise<Record<string, unknown>> {
  const before = await refreshKeys(provider)
  await work()
  const [name = ''] = (await refreshKeys(provider)).filter((one) => !before.includes(one))
  const spec = (await provider.server.get(`ownedaccesskeys/${name}`))['spec']
  const { oidcProvider, displayName, ttl } = spec as Record<string, unknown>
  const { nonce, ...rest } = oidcProvider as Record<string, unknown>
  expect({ ...rest, displayName, ttl }).to.deep.equal({
    clientId: 'app',
    redirectUri: callback,
    scopes: 'openid email profile groups offline_access',
    displayName: 'Login at The application',
    ttl: 1728000,
  })
  expect(nonce).to.match(/^.{20,}$/)
  return spec as Record<string, unknown>
}
