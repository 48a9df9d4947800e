import { expect } from 'chai'
import { Browser } from './support/browser.ts'
import { alertOf, keyOf, LoginServer } from './support/loginServer.ts'
import { OpenIdProvider } from './support/openIdProvider.ts'

type Fields = Record<string, unknown>

/** Names of a provider's users, besides the existing accounts. */
describe('the account of a first login', function () {
  this.timeout(30_000)
  let server: LoginServer
  let provider: OpenIdProvider

  before(async () => {
    server = await LoginServer.start()
    provider = await OpenIdProvider.start([`${server.url}/auth/oidc/callback`])
  })
  after(async () => {
    await provider.close()
    await server.stop()
  })

  const configure = (auth: Fields = {}) =>
    server.configure({
      auth: {
        oidc: {
          issuerUrl: provider.url,
          clientId: 'platform',
          clientSecret: 'a secret of the client: 0123456789',
          redirectURI: `${server.url}/auth/oidc/callback`,
          caFile: provider.caFile,
          scopes: ['email', 'profile', 'groups'],
        },
        ...auth,
      },
    })
  const logIn = async (user: string) => {
    const key = keyOf(await server.browse('oidc', user))
    const { user: name } = await server.keyObject(key)
    return { key, name: String(name), user: await server.get(`users/${String(name)}`) }
  }
  const keyFor = async (name: string) => {
    await server.makeUser(name, {})
    const made = await server.api('POST', 'ownedaccesskeys', {
      spec: { user: name },
      metadata: { name },
    })
    return (made['spec'] as { key: string }).key
  }
  const profile = (name: string, fields: Fields, key: string) =>
    server.request('POST', `/apis/management.platform/v1/users/${name}/profile`, fields, key)

  beforeEach(() => configure())

  it('gets neither user name nor email address of another user, in any case, and is still created', async () => {
    const key = await keyFor('squatter')
    const typed = { username: 'Boss', email: 'BOSS@corp.test' }
    expect((await profile('squatter', typed, key)).status).to.equal(201)
    provider.accounts.set('b1', {
      preferred_username: 'boss',
      email: 'boss@corp.test',
      email_verified: true,
    })
    const { user, name } = await logIn('b1')
    const { username, email } = user['spec'] as Fields
    expect(name).to.match(/^boss-[0-9a-f]{8}$/)
    expect(username).to.match(/^boss-[0-9a-f]{8}$/)
    expect(email).to.equal(undefined)
    expect((await server.get('users/squatter'))['spec']).to.deep.include(typed)
    // The address is also refused at a later login, and if it is new.
    provider.accounts.set('b1', { preferred_username: 'boss', email: 'squatter' })
    expect(((await logIn('b1')).user['spec'] as Fields)['email']).to.equal(undefined)
  })

  it('records whether the provider verified the address, until the user changes it', async () => {
    const address = { email: 'vera@corp.test', email_verified: true }
    provider.accounts.set('v1', { preferred_username: 'vera', ...address })
    const { key, user } = await logIn('v1')
    const origin = async () =>
      (await server.get('users/vera')).metadata.annotations?.['platform/email-origin']
    expect(user.metadata.annotations?.['platform/email-origin']).to.equal('provider')
    await profile('vera', { displayName: 'Vera' }, key)
    expect(await origin()).to.equal('provider')
    await profile('vera', { email: 'other@corp.test' }, key)
    expect(await origin()).to.equal('user')
    await profile('vera', { email: 'vera@corp.test' }, key)
    expect(await origin()).to.equal('user')
    await logIn('v1')
    expect(await origin()).to.equal('provider')
  })

  it('is created once for concurrent first logins', async () => {
    provider.accounts.set('m1', { preferred_username: 'many', email: 'many@corp.test' })
    const pages = await Promise.all(
      Array.from({ length: 4 }, () => new Browser('m1').open(`${server.url}/auth/oidc/login`)),
    )
    const names = await Promise.all(
      pages.map(async (page) => (await server.keyObject(keyOf(page)))['user']),
    )
    expect([...new Set(names)]).to.deep.equal(['many'])
  })

  it("does not get a former user's name that still has rights", async () => {
    await server.api('POST', 'teams', { metadata: { name: 'crew' }, spec: { users: ['left'] } })
    await server.api('POST', 'projects', {
      metadata: { name: 'old' },
      spec: { owner: { user: 'retired' } },
    })
    for (const name of ['left', 'retired']) {
      provider.accounts.set(name, { preferred_username: name })
      expect((await logIn(name)).name).to.match(new RegExp(`^${name}-[0-9a-f]{8}$`))
    }
  })

  describe('prepared with a subject', () => {
    const prepare = async (name: string, spec: Fields = {}) => {
      await server.makeUser(name, { subject: `subject-${name}`, ...spec })
      provider.accounts.set(`subject-${name}`, { preferred_username: `own-${name}` })
    }
    const accountOf = async (name: string) => (await logIn(`subject-${name}`)).name

    it('is used if the configuration allows it, for that connector only, and once', async () => {
      await prepare('ready')
      await configure({ preparedAccountsBySubject: ['other'], disableUserCreation: true })
      expect(alertOf(await server.browse('oidc', 'subject-ready'))).to.equal(
        '403 there is no account for this user, and none is made at a login; an administrator can let the user into one with the annotation platform/sso-identity: oidc:subject-ready',
      )
      await configure({ preparedAccountsBySubject: ['oidc'], disableUserCreation: true })
      expect(await accountOf('ready')).to.equal('ready')
      const { annotations } = (await server.get('users/ready')).metadata
      expect(annotations?.['platform/sso-identity']).to.equal('oidc:subject-ready')
      await configure({ disableUserCreation: true })
      expect(await accountOf('ready')).to.equal('ready')
    })

    it("is not used if it is an administrator's, or was used before", async () => {
      await configure({ preparedAccountsBySubject: ['oidc'] })
      await prepare('root', { groups: ['system:masters'] })
      await prepare('linked')
      await server.api('PUT', 'users/linked', {
        ...(await server.get('users/linked')),
        metadata: { name: 'linked', annotations: { 'platform/sso-identity': 'saml:x' } },
      })
      await prepare('busy')
      await profile('busy', { password: 'set by an administrator' }, server.running.adminAccessKey)
      for (const name of ['root', 'linked', 'busy']) {
        expect(await accountOf(name)).to.equal(`own-${name}`)
      }
      provider.accounts.set('admin', { preferred_username: 'admin' })
      expect((await logIn('admin')).name).to.match(/^admin-[0-9a-f]{8}$/)
    })
  })
})
