import { expect } from 'chai'
import { createHash, randomBytes } from 'node:crypto'
import { loginTarget } from '../../../apiserver/platform/logins/loginTarget.ts'
import { LoginServer } from './support/loginServer.ts'

const verifier = randomBytes(32).toString('base64url')
const code_challenge = createHash('sha256').update(verifier).digest('base64url')
const application = 'https://app.example.com/signed-in'
const listed = [application, 'http://plain.example.com/']
const credentials = { username: 'admin', password: 'the first password' }

describe('login for another web application', function () {
  this.timeout(20_000)
  let server: LoginServer

  before(async () => {
    server = await LoginServer.start({
      adminPassword: credentials.password,
      corsAllowedOrigins: ['https://app\\.example\\.com'],
    })
    await server.configure({ auth: { redirectURIs: listed } })
  })
  after(() => server.stop())

  const query = (redirect_uri: string) =>
    new URLSearchParams({
      ...{ code_challenge, code_challenge_method: 'S256', state: 'a-state-of-the-application' },
      redirect_uri,
    }).toString()
  const page = async (path: string, form?: Record<string, string>) => {
    const response = await fetch(server.url + path, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    const text = (await response.text()).replaceAll('&amp;', '&')
    return { status: response.status, location: response.headers.get('location'), text }
  }

  it('returns a code to a listed address, which the application exchanges from its own origin', async () => {
    expect((await page(`/login?${query(application)}`)).status).to.equal(200)
    const { text } = await page(`/auth/password/login?${query(application)}`, credentials)
    const address = new URL(
      /id="continue"/.test(text) ? (/href="([^"]+)" id=/.exec(text)?.[1] ?? '') : '',
    )
    expect(address.origin + address.pathname).to.equal(application)
    expect(address.searchParams.get('state')).to.equal('a-state-of-the-application')
    const code = address.searchParams.get('code') ?? ''
    const exchange = (origin: string) =>
      fetch(`${server.url}/auth/code/token`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: JSON.stringify({ code, code_verifier: verifier }),
      })
    expect((await exchange('https://evil.example.com')).status).to.equal(403)
    const allowed = await exchange('https://app.example.com')
    expect(allowed.headers.get('access-control-allow-origin')).to.equal('https://app.example.com')
    const { accessKey } = (await allowed.json()) as { accessKey: string }
    const selves = await server.request(
      'POST',
      '/apis/management.platform/v1/selves',
      {},
      accessKey,
    )
    expect(selves.status).to.equal(201)
    expect((await exchange('https://app.example.com')).status).to.equal(401)
  })

  for (const hostile of [
    'https://evil.example.com/',
    'https://app.example.com/signed-in/',
    'https://app.example.com/signed-in?next=https://evil.example.com',
    'https://app.example.com/signed-in#',
    'https://app.example.com:444/signed-in',
    'https://app.example.com@evil.example.com/signed-in',
    'https://app.example.com/signed-in\\@evil.example.com',
    '//app.example.com/signed-in',
    'HTTPS://app.example.com/signed-in',
    'javascript:alert(1)',
    // Listed, but an intermediary could read the code.
    'http://plain.example.com/',
    'http://127.0.0.1:9/callback',
    '',
  ])
    it(`is refused for ${JSON.stringify(hostile)}`, async () => {
      const { status, text } = await page(`/login?${query(hostile)}`)
      expect(status).to.equal(400)
      if (hostile !== '') expect(text).to.not.include(hostile)
      const target = loginTarget(new URLSearchParams(query(hostile)), listed)
      expect(target).to.deep.equal({ isCli: false })
    })

  it('leads nowhere with an unlisted address, even with the right password', async () => {
    const hostile = 'https://evil.example.com/'
    const { text, location } = await page(`/auth/password/login?${query(hostile)}`, credentials)
    expect(location).to.equal(null)
    expect(text).to.not.include('http-equiv').and.not.include('code=').and.not.include(hostile)
  })
})
