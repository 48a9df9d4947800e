import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { issueAuthority, issueLeaf } from '../../../apiserver/http/pki/issueCertificates.ts'
import { realClock } from '../../../apiserver/runtime/realClock.ts'
import { realRandom } from '../../../apiserver/runtime/realRandom.ts'
import { ApiProvider } from './support/apiProvider.ts'
import { alertOf, keyOf, LoginServer } from './support/loginServer.ts'

const client = { clientId: 'id', clientSecret: 'secret' }
type Fields = Record<string, unknown>

async function identityOf(server: LoginServer, key: string): Promise<Fields> {
  const { identity } = await server.keyObject(key)
  const { identityRefresh: _, ...told } = identity as Fields
  return told
}

describe('login through a hosted-git service with organizations', function () {
  this.timeout(20_000)
  let server: LoginServer
  let host: ApiProvider
  let folder: string

  before(async () => {
    const sources = { clock: realClock, random: realRandom }
    const authority = await issueAuthority(undefined, sources)
    folder = await mkdtemp(join(tmpdir(), 'git-'))
    await writeFile(join(folder, 'ca.pem'), authority.cert)
    const org = (login: string) => ({ login })
    const api = '/api/v3'
    host = new ApiProvider({
      authorizePath: '/login/oauth/authorize',
      tokenPath: '/login/oauth/access_token',
      tls: await issueLeaf(authority, ['127.0.0.1'], sources),
      routes: {
        [`GET ${api}/user`]: () => ({ value: { id: 7, login: 'octo', name: 'Octo' } }),
        [`GET ${api}/user/emails`]: () => [
          { email: 'unsure@git.test', primary: true, verified: false },
          { email: 'octo@git.test', primary: false, verified: true },
        ],
        [`GET ${api}/user/orgs`]: ({ url }) =>
          url.searchParams.has('page')
            ? [org('second')]
            : {
                value: [org('first')],
                headers: { link: `<${url.href}&page=2>; rel="next", <${url.href}>; rel="first"` },
              },
        [`GET ${api}/user/teams`]: () => [
          { slug: 'web-team', name: 'Web Team', organization: org('first') },
          { slug: 'ops', name: 'Ops', organization: org('second') },
        ],
      },
    })
    await host.start()
    server = await LoginServer.start({ environment: { GIT_HOST_A_URL: host.url } })
  })
  after(async () => {
    await host.close()
    await server.stop()
    await rm(folder, { recursive: true })
  })

  const configure = (settings: Fields = {}) => {
    const redirectURI = `${server.url}/auth/gitHostA/callback`
    const enterprise = { hostName: host.host, rootCA: join(folder, 'ca.pem') }
    return server.configure({
      auth: { gitHostA: { ...client, redirectURI, ...enterprise, ...settings } },
    })
  }

  it('organizations and teams become groups, over all pages (spec config.auth.gitHostA, config.auth.gitHostA.hostName)', async () => {
    await configure()
    expect(await identityOf(server, keyOf(await server.browse('gitHostA', 'x')))).to.deep.equal({
      userId: '7',
      username: 'octo',
      preferredUsername: 'octo',
      email: 'octo@git.test',
      emailVerified: true,
      groups: ['first', 'first:web-team', 'second', 'second:ops'],
      connector: 'gitHostA',
    })
  })

  it('trusts only the certificate in rootCA (spec config.auth.gitHostA.rootCA)', async () => {
    await configure({ rootCA: undefined })
    expect(alertOf(await server.browse('gitHostA', 'x'))).to.match(
      /^503 the provider gitHostA cannot/,
    )
  })

  for (const { orgs, want } of [
    { orgs: [{ name: 'First' }], want: ['first', 'first:web-team'] },
    { orgs: [{ name: 'first', teams: ['web-team'] }], want: ['first', 'first:web-team'] },
    {
      orgs: [{ name: 'first', teams: ['Web Team'] }, { name: 'no' }],
      want: ['first', 'first:web-team'],
    },
    { orgs: [{ name: 'first', teams: ['ops'] }], want: undefined },
    { orgs: [{ name: 'third' }], want: undefined },
  ]) {
    it(`${JSON.stringify(orgs)} allows ${want?.join() ?? 'nobody'} (spec config.auth.gitHostA.orgs)`, async () => {
      await configure({ orgs })
      const page = await server.browse('gitHostA', 'x')
      if (want === undefined) expect(alertOf(page)).to.match(/^403 the user is in none of the org/)
      else expect((await identityOf(server, keyOf(page)))['groups']).to.deep.equal(want)
    })
  }
})

describe('login through a hosted-git service with groups', function () {
  this.timeout(20_000)
  let server: LoginServer
  let host: ApiProvider

  before(async () => {
    const user = { id: 9, username: 'lab', name: 'Lab', email: 'lab@git.test', confirmed_at: 'x' }
    host = new ApiProvider({
      authorizePath: '/oauth/authorize',
      tokenPath: '/oauth/token',
      routes: {
        'GET /api/v4/user': () => ({ value: user }),
        'GET /oauth/userinfo': () => ({ value: { sub: '9', groups: ['top', 'top/sub'] } }),
      },
    })
    await host.start()
    server = await LoginServer.start({ environment: { GIT_HOST_B_URL: host.url } })
  })
  after(async () => {
    await host.close()
    await server.stop()
  })

  const configure = (settings: Fields = {}) => {
    const redirectURI = `${server.url}/auth/gitHostB/callback`
    return server.configure({ auth: { gitHostB: { ...client, redirectURI, ...settings } } })
  }

  it('uses the service at baseURL, or at its public address (spec config.auth.gitHostB, config.auth.gitHostB.baseURL)', async () => {
    await configure({ baseURL: 'http://127.0.0.1:1/git' })
    const { value } = await server.request('GET', '/auth/gitHostB/login')
    expect((value as { redirect: string }).redirect).to.match(
      /^http:\/\/127.0.0.1:1\/git\/oauth\/auth/,
    )
    await configure()
    expect(await identityOf(server, keyOf(await server.browse('gitHostB', 'x')))).to.deep.equal({
      userId: '9',
      username: 'lab',
      preferredUsername: 'lab',
      email: 'lab@git.test',
      emailVerified: true,
      groups: ['top', 'top/sub'],
      connector: 'gitHostB',
    })
  })

  it('allows only members of the groups (spec config.auth.gitHostB.groups)', async () => {
    await configure({ groups: ['other'] })
    expect(alertOf(await server.browse('gitHostB', 'x'))).to.match(/^403/)
    await configure({ groups: ['other', 'top/sub'] })
    keyOf(await server.browse('gitHostB', 'x'))
  })
})
