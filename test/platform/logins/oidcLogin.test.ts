import { expect } from 'chai'
import { Browser } from './support/browser.ts'
import { alertOf, keyOf, LoginServer } from './support/loginServer.ts'
import { OpenIdProvider } from './support/openIdProvider.ts'

/** Login from its address to the key, through the pages of a real OpenID provider. */
describe('login through an OpenID provider', function () {
  this.timeout(20_000)
  let server: LoginServer
  let provider: OpenIdProvider
  let client: Record<string, unknown>

  before(async () => {
    server = await LoginServer.start()
    const own = (id: string) => `${server.url}/auth/${id}/callback`
    provider = await OpenIdProvider.start([own('oidc'), own('work'), 'https://other.test/callback'])
    client = {
      issuerUrl: provider.url,
      clientId: 'platform',
      clientSecret: 'a secret of the client: 0123456789',
      redirectURI: own('oidc'),
      caFile: provider.caFile,
    }
  })
  after(async () => {
    await provider.close()
    await server.stop()
  })

  const configure = (oidc: Record<string, unknown> = {}, auth: Record<string, unknown> = {}) =>
    server.configure({ auth: { oidc: { ...client, ...oidc }, ...auth } })

  it('creates a user, and a key that the API accepts (spec config.auth.oidc, config.auth.oidc.issuerUrl, config.auth.disableUserCreation, auth.7)', async () => {
    provider.accounts.set('u1', {
      name: 'Jane Roe',
      preferred_username: 'jane',
      email: 'jane@roe.test',
      email_verified: true,
    })
    await configure()
    const key = keyOf(await server.browse('oidc', 'u1'))
    const self = await server.self(key)
    expect(self['subject']).to.equal('u1')
    expect(self['accessKeyType']).to.equal('Login')
    const user = await server.get('users/jane')
    expect(user['spec']).to.deep.equal({
      displayName: 'Jane Roe',
      username: 'jane',
      email: 'jane@roe.test',
      subject: 'u1',
    })
    const { identity, type, ttl, user: owner } = await server.keyObject(key)
    const { identityRefresh, ...told } = identity as Record<string, unknown>
    expect({ type, ttl, owner, told }).to.deep.equal({
      type: 'Login',
      ttl: 1_728_000,
      owner: 'jane',
      told: {
        userId: 'u1',
        username: 'jane',
        preferredUsername: 'jane',
        email: 'jane@roe.test',
        emailVerified: true,
        connector: 'oidc',
      },
    })
    expect(identityRefresh).to.match(/Z$/)
  })

  it('uses the same account for a second login, with current data of the provider', async () => {
    provider.accounts.set('u1', { preferred_username: 'jane', name: 'Jane Doe' })
    const before = (await server.list('users')).length
    keyOf(await server.browse('oidc', 'u1'))
    expect((await server.list('users')).length).to.equal(before)
    const { spec } = (await server.get('users/jane')) as { spec?: Record<string, unknown> }
    expect(spec?.['displayName']).to.equal('Jane Doe')
  })

  it('requests email and profile by default, else the configured scopes (spec config.auth.oidc.scopes)', async () => {
    const scopeOf = async () => {
      const browser = new Browser('u1')
      await browser.open(`${server.url}/auth/oidc/login`)
      const asked = browser.visited.find((url) => url.includes('/auth?'))
      return new URL(asked ?? '').searchParams.get('scope')
    }
    await configure()
    expect(await scopeOf()).to.equal('openid email profile')
    await configure({ scopes: ['profile', 'groups'] })
    expect(await scopeOf()).to.equal('openid profile groups')
  })

  it('reads user name, id, email, groups and extra claims where it is told to (spec config.auth.oidc.usernameClaim, config.auth.oidc.platformUsernameClaim, config.auth.oidc.preferredUsername, config.auth.oidc.emailClaim, config.auth.oidc.groupsClaim, config.auth.oidc.allowedExtraClaims)', async () => {
    provider.accounts.set('u2', {
      nickname: 'nick',
      employee: 'e-7',
      department: { id: 5 },
      preferred_username: 'unused',
      roles: ['dev', 'ops'],
      email: 'x@y.test',
    })
    await configure({
      usernameClaim: 'employee',
      platformUsernameClaim: 'nickname',
      preferredUsername: 'employee',
      emailClaim: 'nickname',
      groupsClaim: 'roles',
      allowedExtraClaims: ['department'],
      scopes: ['email', 'profile', 'groups'],
    })
    const { identity } = await server.keyObject(keyOf(await server.browse('oidc', 'u2')))
    const { identityRefresh: _, ...told } = identity as Record<string, unknown>
    expect(told).to.deep.equal({
      userId: 'e-7',
      username: 'nick',
      preferredUsername: 'e-7',
      email: 'nick',
      extraClaims: { department: '{"id":5}' },
      groups: ['dev', 'ops'],
      connector: 'oidc',
    })
  })

  it('adds prefixes to user names and groups (spec config.auth.oidc.usernamePrefix, config.auth.oidc.groupsPrefix)', async () => {
    provider.accounts.set('u3', { preferred_username: 'pat', groups: 'one' })
    await configure({
      usernamePrefix: 'corp-',
      groupsPrefix: 'corp:',
      scopes: ['profile', 'groups'],
    })
    keyOf(await server.browse('oidc', 'u3'))
    const { spec } = await server.get('users/corp-pat')
    expect(spec).to.deep.equal({
      username: 'corp-pat',
      subject: 'corp-u3',
      ssoGroups: ['corp:one'],
    })
  })

  it('refuses users outside the groups (spec config.auth.oidc.groups)', async () => {
    provider.accounts.set('u4', { preferred_username: 'gus', groups: ['a', 'b'] })
    await configure({ groups: ['c', 'd'], scopes: ['profile', 'groups'] })
    const page = await server.browse('oidc', 'u4')
    expect(alertOf(page)).to.equal('403 the user is in none of the groups that may log in')
    await configure({ groups: ['b'], scopes: ['profile', 'groups'] })
    keyOf(await server.browse('oidc', 'u4'))
  })

  it('keeps matching groups, and creates their teams (spec config.auth.groupsFilters, config.auth.disableTeamCreation)', async () => {
    provider.accounts.set('u5', {
      preferred_username: 'tim',
      groups: ['Web Team', 'web-admins', 'other', 'system:masters', 'platform:admins'],
    })
    const scopes = ['profile', 'groups']
    await configure({ scopes }, { groupsFilters: ['^(W|w)eb', 'system', 'platform'] })
    const self = await server.self(keyOf(await server.browse('oidc', 'u5')))
    expect(self['groups']).to.include('platform:team:web-team')
    expect(self['groups']).not.to.include('system:masters')
    expect(self['groups']).not.to.include('platform:admins')
    const user = (await server.get('users/tim'))['spec'] as Record<string, unknown>
    expect(user['ssoGroups']).to.deep.equal(['Web Team', 'web-admins'])
    const teams = (await server.list('teams')).map(({ metadata }) => metadata.name)
    expect(teams).to.include.members(['web-team', 'web-admins'])
    provider.accounts.set('u5', { preferred_username: 'tim', groups: ['late'] })
    await configure({ scopes }, { disableTeamCreation: true })
    keyOf(await server.browse('oidc', 'u5'))
    const after = (await server.get('users/tim'))['spec'] as Record<string, unknown>
    expect(after['ssoGroups']).to.deep.equal(['late'])
    expect((await server.list('teams')).map(({ metadata }) => metadata.name)).not.to.include('late')
  })

  it("does not add a group to a team of the same name that is not the group's", async () => {
    await server.api('POST', 'teams', { metadata: { name: 'owners' }, spec: { users: ['admin'] } })
    provider.accounts.set('u6', { preferred_username: 'eve', groups: ['owners'] })
    await configure({ scopes: ['profile', 'groups'] })
    const { groups } = await server.self(keyOf(await server.browse('oidc', 'u6')))
    expect(groups).not.to.include('platform:team:owners')
  })

  it('accepts only users with an account (spec config.auth.disableUserCreation)', async () => {
    provider.accounts.set('u7', { preferred_username: 'new' })
    await configure({}, { disableUserCreation: true })
    expect(alertOf(await server.browse('oidc', 'u7'))).to.equal(
      '403 there is no account for this user, and none is made at a login; an administrator can let the user into one with the annotation platform/sso-identity: oidc:u7',
    )
    const annotations = { 'platform/sso-identity': 'oidc:u7' }
    await server.makeUser('newcomer', { username: 'newcomer' }, annotations)
    const { user } = await server.keyObject(keyOf(await server.browse('oidc', 'u7')))
    expect(user).to.equal('newcomer')
  })

  it('links a prepared account by the verified address, once', async () => {
    const ready = { 'platform/sso-connector': 'oidc' }
    await server.makeUser('ready', { email: 'ready@roe.test' }, ready)
    await configure({}, { disableUserCreation: true })
    provider.accounts.set('u8', { email: 'ready@roe.test' })
    expect(alertOf(await server.browse('oidc', 'u8'))).to.match(/^403/)
    provider.accounts.set('u8', { email: 'ready@roe.test', email_verified: true })
    const { user } = await server.keyObject(keyOf(await server.browse('oidc', 'u8')))
    expect(user).to.equal('ready')
    provider.accounts.set('u9', { email: 'ready@roe.test', email_verified: true })
    expect(alertOf(await server.browse('oidc', 'u9'))).to.match(/^403/)
  })

  it('refuses an email address of another account, and does not link that account', async () => {
    await server.makeUser('boss', { email: 'Boss@roe.test', username: 'boss' })
    provider.accounts.set('u10', {
      preferred_username: 'boss',
      email: 'boss@roe.test',
      email_verified: true,
    })
    await configure()
    expect(alertOf(await server.browse('oidc', 'u10'))).to.equal(
      '403 another account has the email address boss@roe.test; an administrator can link it to this login with the annotation platform/sso-identity: oidc:u10',
    )
  })

  it('gives no name, subject or rights of an existing account', async () => {
    provider.accounts.set('admin', { preferred_username: 'admin' })
    await configure()
    const self = await server.self(keyOf(await server.browse('oidc', 'admin')))
    expect(self['subject']).to.equal('oidc:admin')
    expect(self['groups']).not.to.include('system:masters')
    expect((self['user'] as { name: string }).name).to.match(/^admin-[0-9a-f]{8}$/)
    provider.accounts.set('system:admin', { preferred_username: 'sys' })
    const other = await server.self(keyOf(await server.browse('oidc', 'system:admin')))
    expect(other['subject']).to.equal('oidc:system:admin')
  })

  it('refuses a disabled user', async () => {
    await server.api('PUT', 'users/jane', {
      ...(await server.get('users/jane')),
      spec: { username: 'jane', disabled: true },
    })
    await configure()
    expect(alertOf(await server.browse('oidc', 'u1'))).to.equal('403 the account is disabled')
  })

  it('queries the user info endpoint for claims missing in the ID token (spec config.auth.oidc.getUserInfo)', async () => {
    provider.accounts.set('u11', { preferred_username: 'ivy' })
    const asked: string[] = []
    await configure({ getUserInfo: false })
    const browser = new Browser('u11')
    keyOf(await browser.open(`${server.url}/auth/oidc/login`))
    provider.onUserInfo = (claims) => {
      asked.push('asked')
      return { ...claims, picture: 'https://ivy.test/me.png' }
    }
    await configure({ getUserInfo: true })
    keyOf(await server.browse('oidc', 'u11'))
    expect(asked).to.deep.equal(['asked'])
    const { icon } = (await server.get('users/ivy'))['spec'] as Record<string, unknown>
    expect(icon).to.equal('https://ivy.test/me.png')
  })

  it('sends the resource with the token request (spec config.auth.oidc.resource)', async () => {
    provider.accounts.set('u12', { preferred_username: 'ray' })
    await configure({ resource: 'https://api.test/v1' })
    await server.browse('oidc', 'u12')
    expect(provider.tokenRequests.at(-1)?.['resource']).to.equal('https://api.test/v1')
  })

  it('a logout continues at the provider, and from there to postLogoutRedirectURI (spec config.auth.oidc.postLogoutRedirectURI)', async () => {
    await configure({ postLogoutRedirectURI: 'https://after.test/bye' })
    const answer = await fetch(`${server.url}/auth/oidc/logout`, { redirect: 'manual' })
    const target = new URL(answer.headers.get('location') ?? '')
    expect([answer.status, target.origin]).to.deep.equal([303, provider.url])
    expect(target.searchParams.get('post_logout_redirect_uri')).to.equal('https://after.test/bye')
  })

  it('trusts the certificate in caFile or, with insecureCa, any (spec config.auth.oidc.caFile, config.auth.oidc.insecureCa)', async () => {
    provider.accounts.set('u13', { preferred_username: 'tru' })
    const { caFile: _, ...untrusted } = client
    await server.configure({ auth: { oidc: untrusted } })
    expect(alertOf(await server.browse('oidc', 'u13'))).to.match(/^503 the provider oidc cannot be/)
    await server.configure({ auth: { oidc: { ...untrusted, insecureCa: true } } })
    keyOf(await server.browse('oidc', 'u13'))
    await configure()
    keyOf(await server.browse('oidc', 'u13'))
  })

  it('supports more connectors, each with its id in the address and a name (spec config.auth.connectors, config.auth.connectors.id, config.auth.connectors.displayName)', async () => {
    const work = { ...client, redirectURI: `${server.url}/auth/work/callback` }
    await server.configure({
      auth: { oidc: client, connectors: [{ id: 'work', displayName: 'Work', oidc: work }] },
    })
    provider.accounts.set('u14', { preferred_username: 'wim' })
    const { identity } = await server.keyObject(keyOf(await server.browse('work', 'u14')))
    expect((identity as { connector: string }).connector).to.equal('work')
    const { value } = await server.request('GET', '/auth/info')
    expect((value as { methods: { sso: unknown[] } }).methods.sso).to.deep.equal([
      {
        id: 'oidc',
        displayName: 'oidc',
        loginEndpoint: '/auth/oidc/login',
        logoutEndpoint: '/auth/oidc/logout',
      },
      {
        id: 'work',
        displayName: 'Work',
        loginEndpoint: '/auth/work/login',
        logoutEndpoint: '/auth/work/logout',
      },
    ])
  })

  it('tells a program where to go: OIDCRedirect (reference 4)', async () => {
    await configure()
    const { value } = await server.request('GET', '/auth/oidc/login')
    const { kind, apiVersion, redirect } = value as Record<string, string>
    expect({ kind, apiVersion }).to.deep.equal({
      kind: 'OIDCRedirect',
      apiVersion: 'authentication.platform/v1',
    })
    const { searchParams } = new URL(redirect ?? '')
    expect(searchParams.get('code_challenge_method')).to.equal('S256')
    expect(searchParams.get('nonce')).to.match(/^.{20,}$/)
  })

  it('ends with a link to the waiting command-line client (facts 3.2)', async () => {
    await configure()
    provider.accounts.set('u15', { preferred_username: 'cli' })
    const page = await server.browse('oidc', 'u15', '?cli=true')
    expect(page.text).to.include(`href="http://localhost:25843/login?key=${keyOf(page)}"`)
  })
})
