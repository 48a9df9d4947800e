import { expect } from 'chai'
import { FakeClock } from '../../../support/fakes/fakeClock.ts'
import { waitUntil } from '../../../support/waitUntil.ts'
import { ForgedProvider } from '../support/forgedProvider.ts'
import { keyOf, LoginServer } from '../support/loginServer.ts'
import { OpenIdProvider } from '../support/openIdProvider.ts'

const minute = 60_000
const users = '/apis/management.platform/v1/users'

/** Server whose clock only the test advances. */
class RefreshServer {
  readonly clock = new FakeClock(Date.now())
  readonly server: LoginServer

  private constructor(server: LoginServer, clock: FakeClock) {
    this.server = server
    this.clock = clock
  }

  static async start(): Promise<RefreshServer> {
    const clock = new FakeClock(Date.now())
    return new RefreshServer(await LoginServer.start({}, { clock }), clock)
  }

  /**
   * Advances the clock until the provider's data is as old as possible, with a recently used key.
   */
  async grow(key: string): Promise<void> {
    this.clock.advance(14 * minute)
    await this.use(key)
    this.clock.advance(2 * minute)
  }

  /** Uses the key, and waits until the use is recorded. */
  async use(key: string): Promise<void> {
    const { accessKey } = await this.server.self(key)
    await waitUntil(async () => {
      const object = await this.server.get(`ownedaccesskeys/${String(accessKey)}`)
      const { lastActivity = '' } = (object['status'] ?? {}) as { lastActivity?: string }
      return Date.parse(lastActivity) >= this.clock.now() - 1000
    })
  }

  /**
   * Waits until `isSo` holds, while minutes pass: a check starts a minute after the end of the
   * previous one.
   */
  async comesAbout(isSo: () => boolean | Promise<boolean>): Promise<void> {
    await waitUntil(async () => {
      if (await isSo()) return true
      this.clock.advance(minute)
      return false
    })
  }

  async status(key: string): Promise<number> {
    return (await this.server.request('GET', users, undefined, key)).status
  }

  async ssoGroups(user: string): Promise<unknown> {
    return ((await this.server.get(`users/${user}`))['spec'] as Record<string, unknown>)[
      'ssoGroups'
    ]
  }
}

describe('refresh of identities with a real provider', function () {
  this.timeout(30_000)
  let own: RefreshServer
  let provider: OpenIdProvider
  let oidc: Record<string, unknown>

  before(async () => {
    own = await RefreshServer.start()
    const redirectURI = `${own.server.url}/auth/oidc/callback`
    provider = await OpenIdProvider.start([redirectURI])
    oidc = {
      issuerUrl: provider.url,
      clientId: 'platform',
      clientSecret: 'a secret of the client: 0123456789',
      redirectURI,
      caFile: provider.caFile,
      scopes: ['profile', 'groups', 'offline_access'],
    }
    await own.server.configure({ auth: { oidc } })
  })
  after(async () => {
    await provider.close()
    await own.server.stop()
  })
  const refreshes = () =>
    provider.tokenRequests.filter(({ grant_type: type }) => type === 'refresh_token').length

  it('groups and the identity of the key follow the provider (spec key.identity, user.ssoGroups)', async () => {
    provider.accounts.set('u1', { preferred_username: 'jane', groups: ['a', 'b'] })
    const key = keyOf(await own.server.browse('oidc', 'u1'))
    const first = await own.server.keyObject(key)
    provider.accounts.set('u1', { preferred_username: 'jane', name: 'Jane', groups: ['b', 'c'] })
    await own.grow(key)
    await own.comesAbout(async () => String(await own.ssoGroups('jane')) === 'b,c')
    await own.comesAbout(async () => {
      const { identityRefresh } = await own.server.keyObject(key)
      return identityRefresh !== first['identityRefresh']
    })
    const { identity } = await own.server.keyObject(key)
    expect((identity as Record<string, unknown>)['groups']).to.deep.equal(['b', 'c'])
    expect((identity as Record<string, unknown>)['connectorData']).to.equal(undefined)
    const { groups } = await own.server.self(key)
    expect(groups).to.include('platform:team:c')
    expect(groups).not.to.include('platform:team:a')
  })

  it('continues with the tokens of the last refresh', async () => {
    provider.accounts.set('u2', { preferred_username: 'ken', groups: ['a'] })
    const key = keyOf(await own.server.browse('oidc', 'u2'))
    for (const group of ['b', 'c', 'd']) {
      provider.accounts.set('u2', { preferred_username: 'ken', groups: [group] })
      await own.grow(key)
      await own.comesAbout(async () => String(await own.ssoGroups('ken')) === group)
    }
  })

  it('stores new tokens even if the provider fails right after sending them', async () => {
    await own.server.configure({ auth: { oidc: { ...oidc, getUserInfo: true } } })
    provider.accounts.set('u6', { preferred_username: 'pia', groups: ['a'] })
    const key = keyOf(await own.server.browse('oidc', 'u6'))
    let failures = 0
    provider.onUserInfo = () => {
      failures++
      throw new Error('the provider is down')
    }
    await own.grow(key)
    await own.comesAbout(() => failures > 0)
    provider.onUserInfo = undefined
    provider.accounts.set('u6', { preferred_username: 'pia', groups: ['b'] })
    await own.comesAbout(async () => String(await own.ssoGroups('pia')) === 'b')
    await own.server.configure({ auth: { oidc } })
  })

  it('refreshes only used keys, at most once in a quarter of an hour', async () => {
    provider.accounts.set('u3', { preferred_username: 'lea', groups: ['a'] })
    const key = keyOf(await own.server.browse('oidc', 'u3'))
    const before = refreshes()
    own.clock.advance(60 * minute)
    // The response to a login comes after a check that started before it.
    keyOf(await own.server.browse('oidc', 'u3'))
    expect(refreshes()).to.equal(before)
    await own.grow(key)
    await own.comesAbout(() => refreshes() > before)
    own.clock.advance(5 * minute)
    await own.use(key)
    own.clock.advance(5 * minute)
    keyOf(await own.server.browse('oidc', 'u3'))
    expect(refreshes()).to.equal(before + 1)
  })

  it('ends the login of a user disabled at the provider (spec user.disabled, key.identity)', async () => {
    provider.accounts.set('u4', { preferred_username: 'max', groups: ['a'] })
    const key = keyOf(await own.server.browse('oidc', 'u4'))
    provider.shutOut('u4')
    await own.grow(key)
    await own.comesAbout(async () => (await own.status(key)) === 401)
  })

  it('ends the login of a user who left the allowed groups (spec config.auth.oidc.groups)', async () => {
    provider.accounts.set('u5', { preferred_username: 'ned', groups: ['staff'] })
    await own.server.configure({ auth: { oidc: { ...oidc, groups: ['staff'] } } })
    const key = keyOf(await own.server.browse('oidc', 'u5'))
    provider.accounts.set('u5', { preferred_username: 'ned', groups: ['guests'] })
    await own.grow(key)
    await own.comesAbout(async () => (await own.status(key)) === 401)
  })
})

describe('refresh of identities with a failing provider', function () {
  this.timeout(30_000)
  let own: RefreshServer
  let provider: ForgedProvider
  let key: string
  let asked: number

  beforeEach(async () => {
    own = await RefreshServer.start()
    provider = new ForgedProvider()
    await provider.start()
    provider.refreshToken = 'rt'
    const { url: issuerUrl, clientSecret } = provider
    const redirectURI = `${own.server.url}/auth/oidc/callback`
    const usernameClaim = 'employee'
    const oidc = { issuerUrl, clientId: 'platform', clientSecret, redirectURI, usernameClaim }
    await own.server.configure({ auth: { oidc } })
    provider.claims = { groups: ['a'], employee: 'e-1' }
    key = keyOf(await own.server.browse('oidc', 'x'))
    asked = 0
  })
  afterEach(async () => {
    await provider.close()
    await own.server.stop()
  })
  const fail = (code: number, body: string) => {
    provider.fault = (response) => {
      asked++
      response.writeHead(code, { 'content-type': 'application/json' }).end(body)
    }
  }

  it('keeps the login while the provider is down, with growing intervals', async () => {
    fail(503, '{}')
    await own.grow(key)
    await own.comesAbout(() => asked > 0)
    // Pauses of 1, 2, 4, 8, 16, 30 and 30 minutes end within 91; each minute is one check.
    for (let passed = 0; passed < 92; passed++) {
      own.clock.advance(minute)
      await settled(own)
    }
    expect(asked).to.be.within(7, 9)
    expect(await own.status(key)).to.equal(200)
    provider.fault = undefined
    provider.claims = { groups: ['z'], employee: 'e-1' }
    own.clock.advance(31 * minute)
    await own.comesAbout(async () => String(await own.ssoGroups('victim')) === 'z')
  })

  for (const { name, code, body } of [
    { name: 'has too much to do', code: 429, body: '{"error":"slow_down"}' },
    {
      name: 'does not take the secret of the client any more',
      code: 401,
      body: '{"error":"invalid_client"}',
    },
  ]) {
    it(`keeps the login while the provider ${name}`, async () => {
      fail(code, body)
      await own.grow(key)
      await own.comesAbout(() => asked > 0)
      await settled(own)
      expect(await own.status(key)).to.equal(200)
    })
  }

  for (const { name, claims } of [
    { name: 'another subject', claims: { sub: 'other', employee: 'e-1' } },
    { name: 'another user', claims: { employee: 'e-2' } },
  ]) {
    it(`ends the login when the provider reports ${name}`, async () => {
      provider.claims = claims
      await own.grow(key)
      await own.comesAbout(async () => (await own.status(key)) === 401)
    })
  }

  it('creates no user for a login whose user was deleted', async () => {
    await own.grow(key)
    await own.server.request('DELETE', `${users}/victim`)
    own.clock.advance(2 * minute)
    await settled(own)
    const names = (await own.server.list('users')).map(({ metadata }) => metadata.name)
    expect(names).to.deep.equal(['admin'])
  })
})

/** Waits for pending work: requests share the event loop. */
async function settled({ server }: RefreshServer): Promise<void> {
  for (let n = 0; n < 4; n++) await server.request('GET', '/auth/info')
}
