import { expect } from 'chai'
import { keyOf } from '../logins/support/loginServer.ts'
import { PlatformBrowser } from './platformBrowser.ts'
import { callback, clients, password, ProviderServer, refusalOf, secret } from './providerServer.ts'

const paths = [
  ...['/.well-known/openid-configuration', '/jwks', '/authorize', '/userinfo', '/logout'],
  ...['/token', '/revoke', '/interaction/abcdefghij', '/authorize/abcdefghij', '/logout/success'],
]

describe('the platform as an OpenID provider, its settings', function () {
  this.timeout(30_000)
  let provider: ProviderServer
  let browser: PlatformBrowser

  before(async () => {
    provider = await ProviderServer.start({ environment: { APP_SECRET: 'from the environment' } })
    await provider.configure()
    await provider.makeUser('jane')
    browser = new PlatformBrowser({ username: 'jane', password })
    await browser.open(`${provider.url}/login`)
  })
  after(() => provider.stop())

  const statusOf = async (path: string, method = 'GET') =>
    (await provider.server.request(method, path)).status
  /** Final address of a client's login that requests a redirect to an address. */
  const ends = async (uri: string, clientId = 'app') => {
    await provider.configure()
    const configuration = await provider.client(clientId)
    const begun = await provider.begin(configuration, { redirect_uri: uri })
    return (settings: Record<string, unknown>) =>
      provider.configure(settings).then(async () => {
        browser.client = new URL(uri).hostname
        const page = await browser.open(begun.url)
        browser.client = 'client.test'
        return page.status === 0 ? new URL(page.url).host : page.status
      })
  }

  it('disabling it removes all its paths at once (spec config.oidc.enabled)', async () => {
    for (const oidc of [undefined, { clients }, { enabled: false, clients }]) {
      await provider.server.configure(oidc === undefined ? {} : { oidc })
      for (const path of paths) {
        expect(await statusOf(`/oidc${path}`), path).to.equal(404)
        expect(await statusOf(`/oidc${path}`, 'POST'), path).to.equal(404)
      }
    }
    await provider.configure()
    expect(await statusOf('/oidc/jwks')).to.equal(200)
  })

  it('a browser gets no provider session while it is disabled (spec config.oidc.enabled)', async () => {
    await provider.server.configure({})
    const { headers } = await provider.server.passwordLogin('jane', password)
    expect(headers.get('set-cookie')).to.equal(null)
    await provider.configure()
    const other = await provider.server.passwordLogin('jane', password)
    expect(other.headers.get('set-cookie')).to.match(/^platform-session=/)
  })

  it('a wildcard matches if enabled (spec config.oidc.wildcardRedirect)', async () => {
    const open = await ends('https://one.apps.test/callback')
    const redirectURIs = ['https://*.apps.test/callback']
    const stars = [{ clientId: 'app', clientSecret: secret, redirectURIs }]
    expect(await open({ clients: stars })).to.equal(400)
    expect(await open({ clients: stars, wildcardRedirect: false })).to.equal(400)
    expect(await open({ clients: stars, wildcardRedirect: true })).to.equal('one.apps.test')
  })

  it('a confidential client may use registered addresses only (spec config.oidc.clients.redirectURIs)', async () => {
    const open = await ends('https://other.test/callback')
    expect(await open({})).to.equal(400)
    const redirectURIs = [callback, 'https://other.test/callback']
    expect(
      await open({ clients: [{ clientId: 'app', clientSecret: secret, redirectURIs }] }),
    ).to.equal('other.test')
  })

  it('a public client without addresses may use the loopback interface (spec config.oidc.clients.redirectURIs)', async () => {
    const open = await ends('http://localhost:18000/anywhere', 'program')
    expect(await open({ clients: [{ clientId: 'program' }] })).to.equal('localhost:18000')
    const withSecret = { clientId: 'program', clientSecret: secret }
    expect(await open({ clients: [withSecret] })).to.equal(400)
    expect(await open({ clients })).to.equal(400)
  })

  it('identifies the client while it is configured (spec config.oidc.clients.clientId)', async () => {
    await provider.configure()
    const configuration = await provider.client()
    const tokens = await provider.logIn('jane', { configuration, browser })
    expect(tokens.claims()?.aud).to.equal('app')
    await provider.configure({ clients: [{ ...clients[0], clientId: 'renamed' }] })
    expect(await refusalOf(provider.refresh(configuration, tokens.refresh_token))).to.equal(
      'invalid_client',
    )
    expect(await refusalOf(provider.userInfo(configuration, tokens))).to.equal('invalid_token')
    const begun = await provider.begin(configuration)
    expect((await browser.open(begun.url)).status).to.equal(400)
    await provider.configure()
    expect((await provider.refresh(configuration, tokens.refresh_token)).token_type).to.equal(
      'bearer',
    )
  })

  it('follows the configuration and the environment, and is never shown (spec config.oidc.clients.clientSecret)', async () => {
    await provider.configure()
    const configuration = await provider.client()
    const tokens = await provider.logIn('jane', { configuration, browser })
    await provider.configure({ clients: [{ ...clients[0], clientSecret: '$APP_SECRET' }] })
    expect(await refusalOf(provider.refresh(configuration, tokens.refresh_token))).to.equal(
      'invalid_client',
    )
    const renewed = await provider.client('app', 'from the environment')
    const next = await provider.refresh(renewed, tokens.refresh_token)
    expect(next.claims()?.['preferred_username']).to.equal('jane')
    const viewer = await provider.server.passwordLogin('jane', password)
    const key = (viewer.value as { accessKey: string }).accessKey
    const path = '/apis/management.platform/v1/configs/config'
    const { value } = await provider.server.request('GET', path, undefined, key)
    expect(JSON.stringify(value)).not.to.include('from the environment')
  })

  it('names the client to its users (spec config.oidc.clients.name)', async () => {
    await provider.configure()
    const page = await pageOf(`${provider.issuer}/logout?client_id=app`, browser)
    expect(page).to.include('You were sent here by The application.')
    await provider.configure({ clients: [{ ...clients[0], name: '' }] })
    expect(await pageOf(`${provider.issuer}/logout?client_id=app`, browser)).to.include(
      'You were sent here by app.',
    )
  })

  for (const { name, oidc, field, why } of [
    {
      name: 'a client without an id',
      oidc: { clients: [{ clientSecret: secret }] },
      field: 'spec.raw.oidc.clients[0].clientId',
      why: 'Required value',
    },
    {
      name: 'two clients of one id',
      oidc: { clients: [...clients, { clientId: 'app' }] },
      field: 'spec.raw.oidc.clients[2].clientId',
      why: 'Duplicate value: "app"',
    },
  ]) {
    it(`refuses ${name} (spec config.oidc)`, async () => {
      const problem = await provider.configure(oidc).then(
        () => 'nothing',
        (error: Error) => error.message,
      )
      expect(problem)
        .to.include(field)
        .and.to.include(why.replaceAll('"', String.raw`\"`))
    })
  }

  it('are sent with its responses (spec config.auth.customHttpHeaders)', async () => {
    const auth = { customHttpHeaders: { 'X-Frame-Options': 'SAMEORIGIN', 'X-Own': 'yes' } }
    await provider.configure({}, { auth })
    for (const path of [
      '/.well-known/openid-configuration',
      '/authorize',
      '/interaction/abcdefghij',
    ]) {
      const { headers } = await fetch(`${provider.server.url}/oidc${path}`)
      const own = ['x-own', 'x-frame-options'].map((name) => headers.get(name))
      expect(own, path).to.deep.equal(['yes', 'SAMEORIGIN'])
    }
    await provider.configure()
  })

  it('its issuer is the public address of the platform (spec config.platformHost)', async () => {
    await provider.configure({}, { platformHost: 'platform.test' })
    const { value } = await fetchOf(provider, '/.well-known/openid-configuration')
    const { issuer, token_endpoint: token } = value as Record<string, string>
    expect([issuer, token]).to.deep.equal([
      'https://platform.test/oidc',
      'https://platform.test/oidc/token',
    ])
    await provider.configure()
    const own = await fetchOf(provider, '/.well-known/openid-configuration')
    expect((own.value as { issuer: string }).issuer).to.equal(provider.issuer)
  })

  it('another server logs users in through it by its connector, also for its own clients', async () => {
    const other = await ProviderServer.start()
    try {
      const redirectURI = `${other.url}/auth/oidc/callback`
      await provider.configure({
        clients: [{ clientId: 'other', clientSecret: secret, redirectURIs: [redirectURI] }],
      })
      const oidc = {
        issuerUrl: provider.issuer,
        clientId: 'other',
        clientSecret: secret,
        redirectURI,
        insecureCa: true,
        scopes: ['profile', 'groups', 'offline_access'],
        getUserInfo: true,
      }
      await other.configure({}, { auth: { oidc } })
      const page = await browser.open(`${other.url}/auth/oidc/login`)
      const { identity, user } = await other.server.keyObject(keyOf(page))
      const { uid } = (await provider.server.get('users/jane')).metadata
      expect(user).to.equal('jane')
      expect(identity).to.include({ userId: uid, preferredUsername: 'jane', connector: 'oidc' })

      const configuration = await other.client()
      const begun = await other.begin(configuration)
      const visitor = new PlatformBrowser()
      const login = await visitor.open(begun.url)
      const link = /href="(\/auth\/oidc\/login\?oidc=[^"]*)"/.exec(login.text)?.[1] ?? ''
      // The same browser, which is logged in at the first server.
      visitor.take(browser)
      const { url } = await visitor.open(other.url + link)
      const tokens = await other.finish(configuration, url, begun)
      expect(tokens.claims()).to.include({ iss: other.issuer, preferred_username: 'jane' })
    } finally {
      await other.stop()
      await provider.configure()
    }
  })
})

/** Content of a page, without following it. */
async function pageOf(url: string, browser: PlatformBrowser): Promise<string> {
  const { onPage, logout } = browser
  let first: string | undefined
  browser.onPage = ({ text }) => (first ??= text)
  browser.logout = ''
  await browser.open(url)
  Object.assign(browser, { onPage, logout })
  return first ?? ''
}

function fetchOf({ server }: ProviderServer, path: string) {
  return server.request('GET', `/oidc${path}`)
}
