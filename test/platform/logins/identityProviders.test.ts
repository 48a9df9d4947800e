import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { decodeJwt } from 'jose'
import { ApiProvider } from './support/apiProvider.ts'
import { ForgedProvider } from './support/forgedProvider.ts'
import { alertOf, keyOf, LoginServer } from './support/loginServer.ts'

type Fields = Record<string, unknown>

async function groupsOf(server: LoginServer, key: string): Promise<unknown> {
  const { identity } = await server.keyObject(key)
  return (identity as Fields)['groups']
}

describe('login through a web identity provider', function () {
  this.timeout(20_000)
  let server: LoginServer
  let provider: ForgedProvider
  /** Server with the documented API of the directory, written for these tests. */
  let directory: ApiProvider
  let tokens: Server
  let folder: string
  let assertion = ''

  before(async () => {
    provider = new ForgedProvider()
    await provider.start()
    directory = new ApiProvider({
      authorizePath: '/none',
      tokenPath: '/none',
      routes: {
        'GET /v1/groups': ({ url }) => ({
          value: url.searchParams.has('pageToken')
            ? { groups: [{ email: 'b@corp.test' }] }
            : { groups: [{ email: 'a@corp.test' }], nextPageToken: 'more' },
        }),
      },
    })
    await directory.start()
    tokens = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk) => (text += String(chunk)))
      request.on('end', () => {
        assertion = new URLSearchParams(text).get('assertion') ?? ''
        response.end(JSON.stringify({ access_token: 'the-token' }))
      })
    })
    await new Promise<void>((resolve) => tokens.listen(0, '127.0.0.1', resolve))
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    folder = await mkdtemp(join(tmpdir(), 'account-'))
    const account = {
      client_email: 'robot@corp.test',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`,
    }
    await writeFile(join(folder, 'account.json'), JSON.stringify(account))
    server = await LoginServer.start({
      environment: {
        IDENTITY_A_ISSUER: provider.url,
        IDENTITY_A_DIRECTORY_URL: `${directory.url}/v1`,
      },
    })
  })
  after(async () => {
    tokens.close()
    await directory.close()
    await provider.close()
    await server.stop()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => {
    provider.claims = { email: 'ann@corp.test', email_verified: true, hd: 'corp.test', sub: 'ann' }
  })

  const configure = (settings: Fields = {}) => {
    const redirectURI = `${server.url}/auth/identityA/callback`
    const client = { clientId: 'platform', clientSecret: provider.clientSecret, redirectURI }
    return server.configure({ auth: { identityA: { ...client, ...settings } } })
  }

  it('requests profile and email by default (spec config.auth.identityA, config.auth.identityA.scopes)', async () => {
    await configure()
    keyOf(await server.browse('identityA', 'x'))
    expect(provider.asked.get('scope')).to.equal('openid profile email')
    await configure({ scopes: ['email'] })
    keyOf(await server.browse('identityA', 'x'))
    expect(provider.asked.get('scope')).to.equal('openid email')
  })

  it('checks the domain by the signed claim only (spec config.auth.identityA.hostedDomains)', async () => {
    await configure({ hostedDomains: ['corp.test'] })
    keyOf(await server.browse('identityA', 'x'))
    expect(provider.asked.get('hd')).to.equal('corp.test')
    provider.claims = { ...provider.claims, hd: 'evil.test' }
    expect(alertOf(await server.browse('identityA', 'x'))).to.match(
      /^403 the user is in none of the/,
    )
    provider.claims = { ...provider.claims, hd: undefined }
    expect(alertOf(await server.browse('identityA', 'x'))).to.match(/^403/)
  })

  it('queries the directory as the administrator (spec config.auth.identityA.groups, config.auth.identityA.serviceAccountFilePath, config.auth.identityA.adminEmail)', async () => {
    const account = {
      serviceAccountFilePath: join(folder, 'account.json'),
      adminEmail: 'root@corp.test',
    }
    await configure({ ...account, groups: ['b@corp.test'] })
    const key = keyOf(await server.browse('identityA', 'x'))
    expect(await groupsOf(server, key)).to.deep.equal(['a@corp.test', 'b@corp.test'])
    const { iss, sub } = decodeJwt(assertion)
    expect({ iss, sub }).to.deep.equal({ iss: 'robot@corp.test', sub: 'root@corp.test' })
    await configure({ ...account, groups: ['c@corp.test'] })
    expect(alertOf(await server.browse('identityA', 'x'))).to.match(
      /^403 the user is in none of the g/,
    )
    const withoutAdmin = { serviceAccountFilePath: '/x' }
    const failed = await configure(withoutAdmin).catch((error: Error) => error.message)
    expect(failed).to.include('adminEmail')
  })
})

describe('login through a directory with tenants', function () {
  this.timeout(20_000)
  let server: LoginServer
  let directory: ApiProvider
  let askedFor: unknown

  before(async () => {
    const names: Record<string, string> = { g1: 'Devs', g2: 'Mail list' }
    directory = new ApiProvider({
      authorizePath: '/my-tenant/oauth2/v2.0/authorize',
      tokenPath: '/my-tenant/oauth2/v2.0/token',
      routes: {
        'GET /v1.0/me': () => ({
          value: { id: 'guid', displayName: 'Dee', userPrincipalName: 'dee@corp.test' },
        }),
        'POST /v1.0/me/getMemberGroups': ({ body }) => {
          askedFor = body
          const onlySecurity = (body as Fields)['securityEnabledOnly'] === true
          return { value: { value: onlySecurity ? ['g1'] : ['g1', 'g2'] } }
        },
        'POST /v1.0/directoryObjects/getByIds': ({ body }) => ({
          value: {
            value: (body as { ids: string[] }).ids.map((id) => ({ displayName: names[id] })),
          },
        }),
      },
    })
    await directory.start()
    server = await LoginServer.start({
      environment: { IDENTITY_B_URL: directory.url, IDENTITY_B_API_URL: `${directory.url}/v1.0` },
    })
  })
  after(async () => {
    await directory.close()
    await server.stop()
  })

  const configure = (settings: Fields = {}) => {
    const redirectURI = `${server.url}/auth/identityB/callback`
    const client = { clientId: 'id', clientSecret: 'secret', redirectURI, tenant: 'my-tenant' }
    return server.configure({ auth: { identityB: { ...client, ...settings } } })
  }

  it('logs in at the tenant; common when not set (spec config.auth.identityB, config.auth.identityB.tenant)', async () => {
    await configure()
    const key = keyOf(await server.browse('identityB', 'x'))
    expect(await groupsOf(server, key)).to.deep.equal(['Devs', 'Mail list'])
    expect((await server.self(key))['subject']).to.equal('dee@corp.test')
    await configure({ tenant: undefined })
    const { value } = await server.request('GET', '/auth/identityB/login')
    expect((value as { redirect: string }).redirect).to.include('/common/oauth2/v2.0/authorize')
  })

  it('supports required membership, security groups, and groups as an allow list (spec config.auth.identityB.groups, config.auth.identityB.onlySecurityGroups, config.auth.identityB.useGroupsAsWhitelist)', async () => {
    await configure({ groups: ['None'] })
    expect(alertOf(await server.browse('identityB', 'x'))).to.match(
      /^403 the user is in none of the g/,
    )
    await configure({ onlySecurityGroups: true })
    const secure = await groupsOf(server, keyOf(await server.browse('identityB', 'x')))
    expect(askedFor).to.deep.equal({ securityEnabledOnly: true })
    expect(secure).to.deep.equal(['Devs'])
    await configure({ groups: ['Mail list'] })
    const all = await groupsOf(server, keyOf(await server.browse('identityB', 'x')))
    expect(askedFor).to.deep.equal({ securityEnabledOnly: false })
    expect(all).to.deep.equal(['Devs', 'Mail list'])
    await configure({ groups: ['Mail list'], useGroupsAsWhitelist: true })
    const listed = await groupsOf(server, keyOf(await server.browse('identityB', 'x')))
    expect(listed).to.deep.equal(['Mail list'])
  })
})
