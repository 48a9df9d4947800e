import { expect } from 'chai'
import { authSchema } from '../../../apiserver/apis/management/config/auth.ts'
import { restrictionsOf } from '../../../apiserver/apis/management/config/restrictionRules.ts'
import { encodeYaml } from '../../../apiserver/encoding/yaml.ts'
import { defaultNames } from '../../../apiserver/meta/names/namesProfile.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { ApiProvider } from './support/apiProvider.ts'
import { ForgedProvider } from './support/forgedProvider.ts'
import { alertOf, keyOf, LoginServer } from './support/loginServer.ts'
import { SamlProvider } from './support/samlProvider.ts'

type Fields = Record<string, unknown>

const config = '/api/v1/namespaces/platform/secrets/platform-manager-config'
const client = { clientId: 'id', clientSecret: 'secret' }
const openIdClient = { clientId: 'platform' }

function apiAt(authorizePath: string, tokenPath: string): ApiProvider {
  return new ApiProvider({
    authorizePath,
    tokenPath,
    routes: {
      'GET /user': () => ({ value: { id: 7, login: 'octo' } }),
      'GET /user/emails': () => [],
      'GET /user/orgs': () => [],
      'GET /user/teams': () => [],
      'GET /api/v4/user': () => ({ value: { id: 7, username: 'octo' } }),
      'GET /oauth/userinfo': () => ({ value: { sub: '7' } }),
      'GET /v1.0/me': () => ({ value: { id: 'guid', userPrincipalName: 'dee@corp.test' } }),
      'POST /v1.0/me/getMemberGroups': () => ({ value: { value: [] } }),
    },
  })
}

/** Providers that only report the identity of their users: no restriction can be checked. */
describe('login restrictions', function () {
  this.timeout(30_000)
  const restrictions = Object.entries(restrictionsOf(defaultNames)).flatMap(([provider, all]) =>
    all.map(({ field, lacks }) => ({ provider, field, lacks })),
  )
  let server: LoginServer
  let apis: ApiProvider[]
  let forged: ForgedProvider
  let saml: SamlProvider

  before(async () => {
    forged = new ForgedProvider()
    await forged.start()
    const [gitHostA, gitHostB, identityB] = [
      apiAt('/login/oauth/authorize', '/login/oauth/access_token'),
      apiAt('/oauth/authorize', '/oauth/token'),
      apiAt('/my-tenant/oauth2/v2.0/authorize', '/my-tenant/oauth2/v2.0/token'),
    ]
    apis = [gitHostA, gitHostB, identityB]
    await Promise.all(apis.map((api) => api.start()))
    server = await LoginServer.start({
      environment: {
        GIT_HOST_A_URL: gitHostA.url,
        GIT_HOST_A_API_URL: gitHostA.url,
        GIT_HOST_B_URL: gitHostB.url,
        IDENTITY_A_ISSUER: forged.url,
        IDENTITY_A_DIRECTORY_URL: gitHostA.url,
        IDENTITY_B_URL: identityB.url,
        IDENTITY_B_API_URL: `${identityB.url}/v1.0`,
      },
    })
    saml = new SamlProvider(`${server.url}/auth/saml/callback`)
    await saml.start()
    saml.user = { id: 'saml-1', attributes: {} }
  })
  after(async () => {
    await Promise.all([...apis, forged, saml].map((provider) => provider.close()))
    await server.stop()
  })

  const settingsOf = (provider: string): Fields => {
    const redirectURI = `${server.url}/auth/${provider}/callback`
    const all: Record<string, Fields> = {
      oidc: { ...openIdClient, issuerUrl: forged.url, clientSecret: forged.clientSecret },
      identityA: { ...openIdClient, clientSecret: forged.clientSecret },
      saml: { ssoURL: saml.url, caData: Buffer.from(saml.cert).toString('base64') },
    }
    return { ...client, redirectURI, ...all[provider] }
  }
  /** Stores settings without validation, as if they were older than the rule. */
  const store = async (auth: Fields): Promise<void> => {
    const data = { config: Buffer.from(encodeYaml({ auth })).toString('base64') }
    const { status, value } = await server.request('PUT', config, {
      ...{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque' },
      metadata: { name: 'platform-manager-config' },
      data,
    })
    expect(status, JSON.stringify(value)).to.be.oneOf([200, 201])
    await waitUntil(async () => {
      const { raw } = (await server.get('configs/config'))['spec'] as Fields
      return raw === data.config
    })
  }
  const valuesOf = (field: string): unknown[] =>
    field === 'orgs' ? [{ name: 'insiders' }] : ['insiders']
  /** Settings that a valid configuration needs in addition to the restriction. */
  const completed: Record<string, Fields> = {
    'identityA groups': { serviceAccountFilePath: '/nowhere', adminEmail: 'root@corp.test' },
    'identityB groups': { tenant: 'my-tenant' },
    'saml allowedGroups': { groupsAttr: 'groups' },
  }

  before(() => server.configure({}))

  it('are known for every provider and setting', () => {
    const { properties = {} } = authSchema(defaultNames)
    const found = Object.entries(properties).flatMap(([provider, schema]) =>
      Object.entries(schema.properties ?? {})
        .filter(([, { description = '' }]) => /may log in/.test(description))
        .map(([field]) => `${provider} ${field}`),
    )
    const known = restrictions.map(({ provider, field }) => `${provider} ${field}`)
    expect(known).to.have.length(7)
    expect([...found].sort()).to.deep.equal([...known].sort())
  })

  for (const { provider, field, lacks } of restrictions) {
    const name = `${provider} ${field}`

    it(`${name}: refuses users about whom the provider says nothing`, async () => {
      const restricted = { ...settingsOf(provider), [field]: valuesOf(field) }
      await store({ [provider]: { ...restricted, ...completed[name] } })
      expect(alertOf(await server.browse(provider, 'x'))).to.match(/^403 the user is /)
    })

    it(`${name}: is refused with an empty entry`, async () => {
      const settings = { ...settingsOf(provider), [field]: [field === 'orgs' ? {} : ''] }
      const refused = await server
        .configure({ auth: { [provider]: { ...settings, ...completed[name] } } })
        .catch(String)
      expect(refused).to.match(new RegExp(`spec.raw.auth.${provider}.${field}\\[0\\]`))
    })

    if (lacks === undefined || field === 'orgs') continue
    for (const at of ['a provider', 'a connector']) {
      it(`${name}: is refused for ${at} without what it checks, and a stored one refuses every login`, async () => {
        const settings = { ...settingsOf(provider), [field]: valuesOf(field) }
        const entry = { id: provider, [provider]: settings }
        const auth = at === 'a provider' ? { [provider]: settings } : { connectors: [entry] }
        expect(await server.configure({ auth }).catch(String)).to.match(/ 422|"code":422/)
        await store(auth)
        const began = await server.request('GET', `/auth/${provider}/login`).catch(String)
        expect(alertOf(await server.browse(provider, 'x')), JSON.stringify(began)).to.match(/^403 /)
        expect((await server.list('users')).map(({ metadata }) => metadata.name)).to.deep.equal([
          'admin',
        ])
      })
    }
  }

  it('apply to every provider of a connector, or nobody logs in', async () => {
    const several = {
      id: 'several',
      oidc: { ...settingsOf('oidc'), redirectURI: `${server.url}/auth/several/callback` },
      identityB: { ...settingsOf('identityB'), tenant: 'my-tenant', groups: ['insiders'] },
    }
    const auth = { connectors: [several] }
    expect(await server.configure({ auth }).catch(String)).to.include('several providers')
    await store(auth)
    expect((await server.browse('several', 'x')).status).to.equal(404)
  })

  it('accept users again once the provider reports them', async () => {
    await store({ oidc: { ...settingsOf('oidc'), groups: ['insiders'], groupsClaim: 'roles' } })
    forged.claims = { ...forged.claims, sub: 'in', roles: ['insiders'] }
    keyOf(await server.browse('oidc', 'x'))
  })
})
