import { expect } from 'chai'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as client from 'openid-client'
import { providerFetch } from '../../../apiserver/platform/logins/connectors/providerFetch.ts'
import { describeWithEtcd, EtcdServer } from '../../support/etcd/etcdServer.ts'
import { RequestBalancer } from '../../support/etcd/requestBalancer.ts'
import { PlatformBrowser } from '../identityProvider/platformBrowser.ts'
import { Browser } from './support/browser.ts'
import { keyOf, LoginServer } from './support/loginServer.ts'
import { OpenIdProvider } from './support/openIdProvider.ts'

const password = 'the password of the administrator'
const clientCallback = 'https://client.test/callback'
const fetch = providerFetch({ insecure: true })

/** No step of a login depends on the server that handled the previous step. */
describeWithEtcd('logins at three servers over one etcd', (binary) => {
  let etcd: EtcdServer
  let folder: string
  let servers: LoginServer[] = []
  let balancer: RequestBalancer
  let provider: OpenIdProvider

  before(async function () {
    this.timeout(120_000)
    etcd = await EtcdServer.start(binary)
    folder = await mkdtemp(join(tmpdir(), 'logins-'))
    for (const name of ['a', 'b', 'c']) {
      const dataDir = join(folder, name)
      const options = { storage: 'etcd', dataDir, adminPassword: password } as const
      servers.push(await LoginServer.start({ ...options, etcd: { servers: [etcd.endpoint] } }))
    }
    balancer = await RequestBalancer.open(servers.map(({ url }) => Number(new URL(url).port)))
    provider = await OpenIdProvider.start([`${balancer.url}/auth/oidc/callback`])
    await first().configure({
      platformHost: balancer.host,
      auth: {
        oidc: {
          issuerUrl: provider.url,
          clientId: 'platform',
          clientSecret: 'a secret of the client: 0123456789',
          caFile: provider.caFile,
        },
      },
      oidc: {
        enabled: true,
        clients: [
          { clientId: 'app', clientSecret: 'the secret of app', redirectURIs: [clientCallback] },
        ],
      },
    })
    provider.accounts.set('u1', { name: 'Jane', preferred_username: 'jane' })
  })
  after(async () => {
    await provider.close()
    await balancer.close()
    await Promise.all(servers.map((server) => server.stop()))
    await etcd.remove()
    await rm(folder, { recursive: true })
    servers = []
  })

  const first = () => servers[0] as LoginServer
  const isCallback = (url: string) => url.includes('/auth/oidc/callback')
  const sessionsOf = async (user: string) => {
    const keys = await first().list('ownedaccesskeys')
    return keys.filter(({ spec }) => {
      const { type, user: owner } = spec as { type?: string; user?: string }
      return type === 'Login' && owner === user
    }).length
  }

  it('begin at one, end at another, and give a key that every server accepts at once', async () => {
    balancer.served.length = 0
    const key = keyOf(await new Browser('u1').open(`${balancer.url}/auth/oidc/login`))
    const statuses = await Promise.all(
      servers.map((server) => server.request('GET', '/apis', undefined, key)),
    )
    expect(statuses.map(({ status }) => status)).to.deep.equal([200, 200, 200])
    const [start] = balancer.serversOf(/login$/)
    const [end] = balancer.serversOf(/callback$/)
    expect([start, end]).to.deep.equal([0, 1])
  })

  it("give one session for a provider's response that reaches all servers at once", async () => {
    const browser = new Browser('u1')
    let callback = ''
    browser.intercept = (url) => {
      if (!isCallback(url)) return url
      callback = url
      return undefined
    }
    await browser.open(`${balancer.url}/auth/oidc/login`)
    browser.intercept = (url) => url
    const before = await sessionsOf('jane')
    const pages = await Promise.all([1, 2, 3, 4, 5, 6].map(() => browser.open(callback)))
    expect(pages.map(({ status }) => status).sort()).to.deep.equal([200, 401, 401, 401, 401, 401])
    expect(await sessionsOf('jane')).to.equal(before + 1)
    expect((await browser.open(callback)).status).to.equal(401)
  })

  it('exchange the code of a command-line client once, at any server', async () => {
    const verifier = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({
      cli: 'true',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'a-state-of-the-client',
      redirect_uri: 'http://127.0.0.1:9/callback',
    }).toString()
    const page = await fetch(`${balancer.url}/auth/password/login?${query}`, {
      method: 'POST',
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ username: 'admin', password }).toString(),
    })
    const href = /<a class="button" href="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    const code = new URL(href.replaceAll('&amp;', '&')).searchParams.get('code')
    const before = await sessionsOf('admin')
    const body = { code, code_verifier: verifier }
    const answers = await Promise.all(
      [...servers, ...servers, ...servers].map((server) =>
        server.request('POST', '/auth/code/token', body, ''),
      ),
    )
    const granted = answers.filter(({ status }) => status === 200)
    expect(granted.length, JSON.stringify(answers.map(({ value }) => value))).to.equal(1)
    expect(await sessionsOf('admin')).to.equal(before + 1)
  })

  it('count wrong passwords together', async () => {
    const begun = performance.now()
    const guesses = Array.from({ length: 60 }, (_, n) => {
      const server = servers[n % servers.length] ?? first()
      return server.passwordLogin('victim', `guess ${n}`)
    })
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    const refilled = Math.ceil((performance.now() - begun) / 10_000)
    expect(statuses.filter((status) => status === 401).length).to.be.within(10, 10 + refilled)
    expect(new Set(statuses)).to.deep.equal(new Set([401, 429]))
  })

  it('serve each request of the OpenID provider at another server, and a code once', async function () {
    this.timeout(60_000)
    balancer.served.length = 0
    const issuer = new URL(`${balancer.url}/oidc`)
    const basic = client.ClientSecretBasic('the secret of app')
    const options = { [client.customFetch]: fetch }
    const app = await client.discovery(issuer, 'app', 'the secret of app', basic, options)
    const visitor = new PlatformBrowser({ username: 'admin', password })
    const logIn = async () => {
      const verifier = client.randomPKCECodeVerifier()
      const nonce = client.randomNonce()
      const url = client.buildAuthorizationUrl(app, {
        redirect_uri: clientCallback,
        scope: 'openid profile offline_access',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        nonce,
      })
      const returned = await visitor.open(url.href)
      if (!returned.url.startsWith(clientCallback)) throw new Error(returned.text)
      const checks = { pkceCodeVerifier: verifier, expectedNonce: nonce }
      return () => client.authorizationCodeGrant(app, new URL(returned.url), checks)
    }
    const tokens = await (await logIn())()
    const refreshed = await client.refreshTokenGrant(app, tokens.refresh_token ?? '')
    const subject = tokens.claims()?.sub ?? ''
    const info = await client.fetchUserInfo(app, refreshed.access_token, subject)
    expect(info.sub).to.equal(subject)
    expect(new Set(balancer.serversOf(/^\/(oidc|auth|login)/))).to.deep.equal(new Set([0, 1, 2]))
    const trade = await logIn()
    const trades = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => trade()))
    const granted = trades.filter(({ status }) => status === 'fulfilled')
    expect(granted.length).to.be.at.most(1)
    expect((await Promise.allSettled([trade()]))[0]?.status).to.equal('rejected')
  })
})
