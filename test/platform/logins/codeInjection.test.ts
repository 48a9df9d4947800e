import { expect } from 'chai'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Browser } from './support/browser.ts'
import { ForgedProvider } from './support/forgedProvider.ts'
import { alertOf, keyOf, LoginServer } from './support/loginServer.ts'
import { OpenIdProvider } from './support/openIdProvider.ts'

const isCallback = (url: string) => url.includes('/callback')

describe('codes of a real provider: attacks', function () {
  this.timeout(20_000)
  let server: LoginServer
  let provider: OpenIdProvider

  before(async () => {
    server = await LoginServer.start()
    const redirectURI = `${server.url}/auth/oidc/callback`
    provider = await OpenIdProvider.start([redirectURI])
    provider.accounts.set('attacker', { preferred_username: 'attacker' })
    provider.accounts.set('victim', { preferred_username: 'victim' })
    const clientSecret = 'a secret of the client: 0123456789'
    const { url: issuerUrl, caFile } = provider
    const oidc = { issuerUrl, clientId: 'platform', clientSecret, redirectURI, caFile }
    await server.configure({ auth: { oidc } })
  })
  after(async () => {
    await provider.close()
    await server.stop()
  })

  /** Logs in as `user`. @returns the address to which the provider redirects the browser. */
  const stopped = async (user: string): Promise<URL> => {
    let callback = ''
    const browser = new Browser(user)
    browser.intercept = (url) => {
      if (!isCallback(url)) return url
      callback = url
      return undefined
    }
    await browser.open(`${server.url}/auth/oidc/login`)
    return new URL(callback)
  }
  const withCode = async (user: string, code: string) => {
    const browser = new Browser(user)
    browser.intercept = (text) => {
      const url = new URL(text)
      if (isCallback(text)) url.searchParams.set('code', code)
      return url.href
    }
    return alertOf(await browser.open(`${server.url}/auth/oidc/login`))
  }

  it('refuses an unused code of another login', async () => {
    const code = (await stopped('attacker')).searchParams.get('code') ?? ''
    expect(await withCode('victim', code)).to.equal(
      '401 oidc refused the login response: invalid_grant',
    )
  })

  it('refuses a used code', async () => {
    const browser = new Browser('victim')
    keyOf(await browser.open(`${server.url}/auth/oidc/login`))
    const used = browser.visited.find(isCallback) ?? ''
    const code = new URL(used).searchParams.get('code') ?? ''
    expect(await withCode('victim', code)).to.equal(
      '401 oidc refused the login response: invalid_grant',
    )
  })

  it('refuses a whole response to a login of another browser', async () => {
    const stolen = await stopped('attacker')
    expect(alertOf(await new Browser('victim').open(stolen.href))).to.equal(
      '401 this login is not known any more: it was used, took too long, or was started in another browser; please begin again',
    )
  })
})

describe('keys in forged tokens: attacks', function () {
  this.timeout(20_000)
  let server: LoginServer
  let provider: ForgedProvider

  before(async () => {
    server = await LoginServer.start()
    provider = new ForgedProvider()
    await provider.start()
    const { url: issuerUrl, clientSecret } = provider
    const redirectURI = `${server.url}/auth/oidc/callback`
    const oidc = { issuerUrl, clientId: 'platform', clientSecret, redirectURI }
    await server.configure({ auth: { oidc } })
  })
  after(async () => {
    await provider.close()
    await server.stop()
  })

  for (const name of ['jwk', 'jku', 'x5u']) {
    it(`refuses a signature by a key inside the token: ${name}`, async () => {
      const { privateKey, publicKey } = await generateKeyPair('RS256')
      const jwk = await exportJWK(publicKey)
      const header = {
        jwk: { jwk },
        jku: { jku: 'https://evil.test' },
        x5u: { x5u: 'https://e.test' },
      }
      const own = header[name as keyof typeof header]
      provider.forge = (claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k', ...own }).sign(privateKey)
      const page = await new Browser('x').open(`${server.url}/auth/oidc/login`)
      expect(alertOf(page)).to.match(/^401 invalid response of oidc: /)
    })
  }
})
