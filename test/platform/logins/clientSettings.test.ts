import { expect } from 'chai'
import { ApiProvider } from './support/apiProvider.ts'
import { ForgedProvider } from './support/forgedProvider.ts'
import { alertOf, keyOf, LoginServer } from './support/loginServer.ts'

type Fields = Record<string, unknown>

interface Kind {
  name: string
  kind: string
  /** Path of the provider's login page. */
  authorizePath: string
  settings: () => Fields
  /** Parameters of the request for its login page. */
  asked: () => URLSearchParams
  /** Client credentials of the token request; undefined: the provider checks them. */
  client?: () => string
  clientId: string
}

/** Each kind of provider as an additional connector, with the settings of its client. */
describe('settings of the client at a provider', function () {
  this.timeout(20_000)
  let server: LoginServer
  let openId: ForgedProvider
  const servers: ApiProvider[] = []
  const found = { value: { id: 'x', login: 'x', username: 'x', sub: 'x', userPrincipalName: 'x' } }
  const gitHostA = made('/login/oauth/authorize', '/login/oauth/access_token', {
    'GET /user': () => found,
    'GET /user/emails': () => [],
    'GET /user/orgs': () => [],
    'GET /user/teams': () => [],
  })
  const gitHostB = made('/oauth/authorize', '/oauth/token', {
    'GET /api/v4/user': () => found,
    'GET /oauth/userinfo': () => found,
  })
  const identityB = made('/common/oauth2/v2.0/authorize', '/common/oauth2/v2.0/token', {
    'GET /me': () => found,
  })

  function made(authorizePath: string, tokenPath: string, routes: object): ApiProvider {
    const provider = new ApiProvider({ authorizePath, tokenPath, routes: { ...routes } })
    servers.push(provider)
    return provider
  }

  before(async () => {
    openId = new ForgedProvider()
    await openId.start()
    for (const provider of servers) await provider.start()
    server = await LoginServer.start({
      environment: {
        GIT_HOST_A_URL: gitHostA.url,
        GIT_HOST_A_API_URL: gitHostA.url,
        GIT_HOST_B_URL: gitHostB.url,
        IDENTITY_A_ISSUER: openId.url,
        IDENTITY_A_DIRECTORY_URL: openId.url,
        IDENTITY_B_URL: identityB.url,
        IDENTITY_B_API_URL: identityB.url,
      },
    })
  })
  after(async () => {
    await openId.close()
    for (const provider of servers) await provider.close()
    await server.stop()
  })

  const api = (provider: ApiProvider) => ({ asked: () => provider.asked, clientId: 'id' })
  const forged = {
    authorizePath: '/authorize',
    asked: () => openId.asked,
    client: () => openId.client,
    clientId: 'platform',
  }
  const kinds: Kind[] = [
    {
      name: 'an OpenID provider (spec config.auth.connectors, config.auth.oidc.clientId, config.auth.oidc.clientSecret, config.auth.oidc.redirectURI)',
      kind: 'oidc',
      settings: () => ({ issuerUrl: openId.url }),
      ...forged,
    },
    {
      name: 'a web identity provider (spec config.auth.connectors, config.auth.identityA.clientId, config.auth.identityA.clientSecret, config.auth.identityA.redirectURI)',
      kind: 'identityA',
      settings: () => ({}),
      ...forged,
    },
    {
      name: 'a hosted-git service with organizations, at its public address (spec config.auth.connectors, config.auth.gitHostA.clientId, config.auth.gitHostA.clientSecret, config.auth.gitHostA.redirectURI)',
      kind: 'gitHostA',
      authorizePath: '/login/oauth/authorize',
      settings: () => ({}),
      ...api(gitHostA),
    },
    {
      name: 'a hosted-git service with groups (spec config.auth.connectors, config.auth.gitHostB.clientId, config.auth.gitHostB.clientSecret, config.auth.gitHostB.redirectURI)',
      kind: 'gitHostB',
      authorizePath: '/oauth/authorize',
      settings: () => ({}),
      ...api(gitHostB),
    },
    {
      name: 'a directory with tenants (spec config.auth.connectors, config.auth.identityB.clientId, config.auth.identityB.clientSecret, config.auth.identityB.redirectURI)',
      kind: 'identityB',
      authorizePath: '/common/oauth2/v2.0/authorize',
      settings: () => ({}),
      ...api(identityB),
    },
  ]
  for (const { name, kind, authorizePath, settings, asked, client, clientId } of kinds) {
    const configure = (changed: Fields = {}) => {
      const redirectURI = `${server.url}/auth/way/callback`
      const own = { clientId, clientSecret: 'secret', redirectURI, ...settings(), ...changed }
      const entry = { id: 'way', displayName: 'The Way', [kind]: own }
      return server.configure({ auth: { connectors: [entry] } })
    }
    const begin = async () => {
      const { value } = await server.request('GET', '/auth/way/login')
      return new URL((value as { redirect: string }).redirect)
    }

    it(name, async () => {
      await configure()
      const key = keyOf(await server.browse('way', 'x'))
      const { identity } = await server.keyObject(key)
      expect((identity as Fields)['connector']).to.equal('way')
      const [id, redirect] = [asked().get('client_id'), asked().get('redirect_uri')]
      expect([id, redirect]).to.deep.equal([clientId, `${server.url}/auth/way/callback`])
      if (client !== undefined) expect(client()).to.equal(`${clientId}:secret`)

      await configure({ clientSecret: 'other' })
      const page = await server.browse('way', 'x')
      if (client === undefined)
        expect(alertOf(page)).to.match(/^401 The Way refused the login response/)
      else expect(client()).to.equal(`${clientId}:other`)

      await configure({ clientId: 'other' })
      expect(alertOf(await server.browse('way', 'x'))).to.match(/^401/)
      expect(asked().get('client_id')).to.equal('other')

      await configure({ redirectURI: undefined })
      const { pathname, searchParams } = await begin()
      expect([pathname, searchParams.get('redirect_uri')]).to.deep.equal([
        authorizePath,
        `${server.running.url}/auth/way/callback`,
      ])
    })
  }

  it("a provider is shown by the connector's name, then its type, then its id (spec config.auth.connectors, config.auth.connectors.displayName, config.auth.oidc.type)", async () => {
    const issuerUrl = openId.url
    const connectors = [
      { id: 'a', displayName: 'Named', oidc: { issuerUrl, type: 'typed' } },
      { id: 'b', oidc: { issuerUrl, type: 'typed' } },
      { id: 'c', oidc: { issuerUrl } },
    ]
    await server.configure({ auth: { oidc: { issuerUrl, type: 'Work' }, connectors } })
    const { methods } = (await server.request('GET', '/auth/info')).value as {
      methods: { sso: { id: string; displayName: string }[] }
    }
    const shown = methods.sso.map(({ id, displayName }) => `${id} ${displayName}`)
    expect(shown).to.deep.equal(['oidc Work', 'a Named', 'b typed', 'c c'])
    const headers = { accept: 'text/html' }
    const text = await (await fetch(`${server.url}/login`, { headers })).text()
    for (const name of ['Work', 'Named', 'typed', 'c']) expect(text).to.include(`with ${name}</a>`)
  })
})
