import { createPublicKey } from 'node:crypto'
import { expect } from 'chai'
import { SignJWT, UnsecuredJWT, generateKeyPair } from 'jose'
import { Browser } from './support/browser.ts'
import { ForgedProvider, type Forgery } from './support/forgedProvider.ts'
import { alertOf, keyOf, LoginServer } from './support/loginServer.ts'
import type { Page } from './support/browser.ts'

/** Attacks by a provider, or by an intermediary between the provider and the browser. */
describe('logins: attacks', function () {
  this.timeout(30_000)
  let server: LoginServer
  let provider: ForgedProvider

  before(async () => {
    server = await LoginServer.start({ adminPassword: 'pw' })
    provider = new ForgedProvider()
    await provider.start()
  })
  after(async () => {
    await provider.close()
    await server.stop()
  })
  beforeEach(async () => {
    provider.claims = {}
    provider.fault = undefined
    provider.forge = (claims, { sign }) => sign(claims)
    const { clientSecret } = provider
    const oidc = {
      issuerUrl: provider.url,
      clientId: 'platform',
      clientSecret,
      redirectURI: `${server.url}/auth/oidc/callback`,
    }
    const down = { ...oidc, issuerUrl: 'http://127.0.0.1:1' }
    const connectors = [
      { id: 'other', displayName: 'Other', oidc },
      { id: 'down', displayName: 'Down', oidc: down },
    ]
    await server.configure({ auth: { oidc, connectors } })
  })

  const browse = (intercept?: (url: string) => string | undefined): Promise<Page> => {
    const browser = new Browser('x')
    if (intercept !== undefined) browser.intercept = intercept
    return browser.open(`${server.url}/auth/oidc/login`)
  }

  it('accepts a valid response of the provider', async () => {
    keyOf(await browse())
  })

  const second = () => Math.floor(Date.now() / 1000)
  const forgeries: { name: string; forge: Forgery }[] = [
    {
      name: 'no signature (alg none)',
      forge: async (claims) => new UnsecuredJWT(claims).encode(),
    },
    {
      name: 'a signature with the client secret (HS256)',
      forge: async (claims, { clientSecret }) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(clientSecret)),
    },
    {
      name: 'a signature with the public key as a secret (algorithm confusion)',
      forge: async (claims, { jwk }) => {
        const key = createPublicKey({ key: jwk, format: 'jwk' })
        const pem = key.export({ type: 'spki', format: 'pem' }).toString()
        const header = { alg: 'HS256', kid: 'k' }
        return new SignJWT(claims).setProtectedHeader(header).sign(new TextEncoder().encode(pem))
      },
    },
    {
      name: 'a signature of another key',
      forge: async (claims) => {
        const { privateKey } = await generateKeyPair('RS256')
        return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(privateKey)
      },
    },
    {
      name: 'claims changed after the signature',
      forge: async (claims, { sign }) => {
        const [header, , signature] = (await sign(claims)).split('.')
        const other = Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url')
        return [header, other, signature].join('.')
      },
    },
    ...Object.entries({
      'another issuer': { iss: 'https://evil.test' },
      'another audience': { aud: 'other' },
      'several audiences without azp': { aud: ['platform', 'other'] },
      'another nonce': { nonce: 'old' },
      'no nonce': { nonce: undefined },
      'no subject': { sub: undefined },
      'an expired token': { iat: second() - 900, exp: second() - 120 },
      'a token that is not valid yet': { nbf: second() + 900 },
    }).map(([name, change]): { name: string; forge: Forgery } => ({
      name,
      forge: (claims, { sign }) =>
        sign(JSON.parse(JSON.stringify({ ...claims, ...change })) as never),
    })),
  ]
  for (const { name, forge } of forgeries) {
    it(`refuses ${name}`, async () => {
      provider.forge = forge
      expect(alertOf(await browse())).to.match(/^401 invalid response of oidc: /)
    })
  }

  it('allows clock differences of less than a minute', async () => {
    provider.claims = { iat: second() - 300, exp: second() - 30 }
    keyOf(await browse())
    provider.claims = { iat: second() + 30, nbf: second() + 30 }
    keyOf(await browse())
  })

  const isCallback = (url: string) => url.includes('/callback')
  const changed = (change: (url: URL) => void) => (text: string) => {
    const url = new URL(text)
    if (isCallback(text)) change(url)
    return url.href
  }
  for (const { name, change, want } of [
    {
      name: 'another state',
      change: (url: URL) => url.searchParams.set('state', 'other'),
      want: '401 this login is not known any more: it was used, took too long, or was started in another browser; please begin again',
    },
    {
      name: 'no state',
      change: (url: URL) => url.searchParams.delete('state'),
      want: '401 this login is not known any more: it was used, took too long, or was started in another browser; please begin again',
    },
    {
      name: 'a state twice',
      change: (url: URL) => url.searchParams.append('state', 'other'),
      want: '401 the response of the provider repeats state',
    },
    {
      name: 'the callback of another connector',
      change: (url: URL) => (url.pathname = '/auth/other/callback'),
      want: '401 this login is not known any more: it was used, took too long, or was started in another browser; please begin again',
    },
    {
      name: 'the answer of another issuer (mix-up)',
      change: (url: URL) => url.searchParams.set('iss', 'https://evil.test'),
      want: /^401 invalid response of oidc/,
    },
    {
      name: 'an answer without its issuer',
      change: (url: URL) => url.searchParams.delete('iss'),
      want: /^401 invalid response of oidc/,
    },
  ]) {
    it(`refuses ${name}`, async () => {
      const said = alertOf(await browse(changed(change)))
      if (typeof want === 'string') expect(said).to.equal(want)
      else expect(said).to.match(want)
    })
  }

  it('refuses a callback in another browser, and a replayed one', async () => {
    let callback = ''
    await browse((url) => {
      if (!isCallback(url)) return url
      callback = url
      return undefined
    })
    const stolen = await new Browser('y').open(callback)
    expect(alertOf(stolen)).to.equal(
      '401 this login is not known any more: it was used, took too long, or was started in another browser; please begin again',
    )
    const browser = new Browser('x')
    keyOf(await browser.open(`${server.url}/auth/oidc/login`))
    const again = browser.visited.find(isCallback) ?? ''
    expect(alertOf(await browser.open(again))).to.match(/^401 this login is not known any more/)
  })

  it('never redirects to an address from the request', async () => {
    const query = '?redirect=https://evil.test&redirect_uri=https://evil.test&next=//evil.test'
    const start = await fetch(`${server.url}/auth/oidc/login${query}`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    })
    const target = new URL(start.headers.get('location') ?? '')
    expect(target.origin).to.equal(provider.url)
    expect(target.searchParams.get('redirect_uri')).to.match(/\/auth\/oidc\/callback$/)
    expect(target.href).not.to.include('evil')
    const page = await fetch(`${server.url}/login${query}`)
    expect(await page.text()).not.to.include('evil')
  })

  it('sets a cookie that scripts and other sites cannot read', async () => {
    const { headers } = await fetch(`${server.url}/auth/oidc/login`)
    expect(headers.get('set-cookie')).to.match(
      /^platform-login-[0-9a-f]{8}=[\w-]{100,3800}; Path=\/auth\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  it('refuses a user whose groups the provider omitted because they are too many', async () => {
    provider.claims = { _claim_names: { groups: 'src1' }, _claim_sources: {} }
    expect(alertOf(await browse())).to.match(/^403 the provider left the groups of the user out/)
  })

  it('refuses more groups than can be stored', async () => {
    provider.claims = { groups: Array.from({ length: 1001 }, (_, n) => `g${n}`) }
    expect(alertOf(await browse())).to.match(
      /^403 the provider sent 1001 groups, at most 1000 are kept/,
    )
  })

  it('escapes values of the provider', async () => {
    provider.claims = { sub: 'xss', preferred_username: '<img src=x onerror=alert(1)>' }
    const page = await browse()
    expect(page.text).not.to.include('<img')
  })

  for (const { name, fault } of [
    { name: 'is down', fault: (response: { destroy(): void }) => response.destroy() },
    {
      name: 'answers with an error',
      fault: (response: { statusCode: number; end(text: string): void }) => {
        response.statusCode = 500
        response.end('<html>')
      },
    },
    {
      name: 'never ends its answer',
      fault: (response: { write(text: string): void }) => {
        response.write('{')
      },
    },
  ]) {
    it(`shows a clear page if the provider ${name}, and other logins work`, async () => {
      provider.fault = fault
      const page = browse()
      expect((await server.passwordLogin('admin', 'pw')).status).to.equal(200)
      expect(alertOf(await page)).to.equal(
        '503 the provider oidc cannot be reached or sent an invalid response; try again later or use another login method',
      )
      provider.fault = undefined
      keyOf(await browse())
    })
  }

  it('shows a clear page if a provider is unreachable, and a program an error', async () => {
    const page = await new Browser('x').open(`${server.url}/auth/down/login`)
    expect(alertOf(page)).to.match(/^503 the provider Down cannot be reached/)
    const { status, value } = await server.request('GET', '/auth/down/login')
    expect([status, (value as { reason: string }).reason]).to.deep.equal([
      503,
      'ServiceUnavailable',
    ])
  })

  it('accepts an ID token of the client once, and none of another client (reference 4)', async () => {
    const send = (token: string) =>
      server.request('POST', '/auth/oidc/token', { token, accessToken: 'at' })
    provider.asked = new URLSearchParams()
    const claims = { ...provider.usualClaims(), jti: 'one' }
    const token = await provider.sign(claims)
    expect((await send(token)).status).to.equal(200)
    expect((await send(token)).status).to.equal(401)
    const now = second()
    for (const change of [
      { aud: 'other' },
      { iss: 'https://evil.test' },
      { exp: now - 120 },
      { exp: undefined },
      { aud: ['platform', 'other'] },
    ]) {
      const other = JSON.parse(JSON.stringify({ ...claims, ...change })) as Record<string, unknown>
      expect([change, (await send(await provider.sign(other))).status]).to.deep.equal([change, 401])
    }
    const { clientSecret } = provider
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'k' })
      .sign(new TextEncoder().encode(clientSecret))
    expect((await send(confused)).status).to.equal(401)
    expect((await send(new UnsecuredJWT(claims).encode())).status).to.equal(401)
  })

  it("exchanges a provider's refresh token for new tokens (reference 4)", async () => {
    const body = { refreshToken: 'rt' }
    const { value } = await server.request('POST', '/auth/oidc/refresh', body)
    const { kind, accessToken, refreshToken } = value as Record<string, string>
    expect({ kind, accessToken, refreshToken }).to.deep.equal({
      kind: 'OIDCToken',
      accessToken: 'at',
      refreshToken: 'rt',
    })
  })
})
