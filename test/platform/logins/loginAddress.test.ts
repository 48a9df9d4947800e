import { expect } from 'chai'
import { ForgedProvider } from './support/forgedProvider.ts'
import { LoginServer } from './support/loginServer.ts'

/** Client addresses from proxies: only proxies in the settings are trusted. */
describe('addresses of the client and the server in a login', function () {
  this.timeout(20_000)
  let provider: ForgedProvider
  const forwarded = {
    'x-forwarded-for': '203.0.113.1',
    'x-forwarded-host': 'public.test',
    'x-forwarded-proto': 'https',
  }

  before(async () => {
    provider = new ForgedProvider()
    await provider.start()
  })
  after(() => provider.close())

  const start = async (trustedProxies: readonly string[], config: object = {}) => {
    const server = await LoginServer.start({ trustedProxies, adminPassword: 'pw' })
    const { url: issuerUrl, clientSecret } = provider
    const oidc = { issuerUrl, clientId: 'platform', clientSecret }
    await server.configure({ auth: { oidc }, ...config })
    return server
  }
  const redirectUri = async (server: LoginServer, headers: Record<string, string>) => {
    const answer = await fetch(`${server.url}/auth/oidc/login`, { headers })
    const { redirect } = (await answer.json()) as { redirect: string }
    return new URL(redirect).searchParams.get('redirect_uri')
  }

  for (const { name, proxies, config, want } of [
    {
      name: 'a proxy that is named says where users come back to',
      proxies: ['127.0.0.1'],
      want: 'https://public.test/auth/oidc/callback',
    },
    { name: 'nobody else does', proxies: ['10.0.0.0/8'], want: undefined },
    {
      name: "the platform's host of the configuration wins",
      proxies: ['127.0.0.0/8'],
      config: { platformHost: 'platform.test' },
      want: 'https://platform.test/auth/oidc/callback',
    },
  ]) {
    it(name, async () => {
      const server = await start(proxies, config)
      const own = `${server.running.url}/auth/oidc/callback`
      const found = await redirectUri(server, forwarded)
      await server.stop()
      expect(found).to.equal(want ?? own)
    })
  }

  it('never rely on the Host header alone', async () => {
    const server = await start([])
    const { request } = await import('node:http')
    const body = await new Promise<string>((resolve) => {
      const url = new URL(`${server.url}/auth/oidc/login`)
      request(url, { headers: { host: 'evil.test' } }, (answer) => {
        answer.on('data', (chunk) => resolve(String(chunk)))
      }).end()
    })
    await server.stop()
    expect(body).to.include(encodeURIComponent(server.running.url))
    expect(body).not.to.include('evil')
  })

  const guesses = async (server: LoginServer, from: string, count: number) => {
    const codes: number[] = []
    for (let n = 0; n < count; n++) {
      const { status } = await fetch(`${server.url}/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
        body: '{"key":"guess"}',
      })
      codes.push(status)
    }
    return codes.filter((code) => code === 429).length
  }

  it('attempts are counted by the address behind a trusted proxy', async () => {
    const server = await start(['127.0.0.1'])
    const held = await guesses(server, '203.0.113.1', 110)
    const other = await guesses(server, '203.0.113.2', 5)
    await server.stop()
    expect(held).to.be.within(5, 10)
    expect(other).to.equal(0)
  })

  it('attempts are counted by the peer without a trusted proxy, whatever a header says', async () => {
    const server = await start([])
    await guesses(server, '203.0.113.1', 105)
    const other = await guesses(server, '203.0.113.2', 5)
    await server.stop()
    expect(other).to.be.within(3, 5)
  })

  it('the form is accepted from a page that a trusted proxy serves under its own name', async () => {
    const server = await start(['127.0.0.1'])
    const send = async (origin: string) => {
      const headers = { ...forwarded, origin, 'content-type': 'application/json' }
      const body = JSON.stringify({ username: 'admin', password: 'pw' })
      const init = { method: 'POST', headers, body }
      return (await fetch(`${server.url}/auth/password/login`, init)).status
    }
    const codes = [await send('https://public.test'), await send('https://other.test')]
    await server.stop()
    expect(codes).to.deep.equal([200, 403])
  })
})
