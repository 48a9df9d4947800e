import { realClock } from '../../../apiserver/runtime/realClock.ts'
import { createHash } from 'node:crypto'
import { connect } from 'node:http2'
import { expect } from 'chai'
import { Browser } from './support/browser.ts'
import { alertOf, keyOf, LoginServer } from './support/loginServer.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('login with a password', function () {
  this.timeout(20_000)
  let server: LoginServer

  before(async () => {
    server = await LoginServer.start({ adminPassword: 'the first password' })
  })
  after(() => server.stop())

  const storedOf = async (user: string) => {
    const path = `/api/v1/namespaces/platform/secrets/platform-user-secret-${user}`
    const { value } = await server.request('GET', path)
    const { data } = value as { data: { password: string } }
    return Buffer.from(data.password, 'base64').toString()
  }
  const storeHash = async (user: string, stored: string) => {
    const metadata = { name: `platform-user-secret-${user}` }
    const body = { metadata, data: { password: base64(stored) } }
    const answer = await server.request('POST', '/api/v1/namespaces/platform/secrets', body)
    expect(answer.status).to.equal(201)
  }
  const login = (username: string, password: string) => server.passwordLogin(username, password)

  it('returns an access key that the API accepts (reference 4, spec config.auth.password, auth.9)', async () => {
    const { status, value, headers } = await login('admin', 'the first password')
    const { accessKey, ...rest } = value as Record<string, string>
    expect({ status, rest }).to.deep.equal({
      status: 200,
      rest: {
        kind: 'AccessKey',
        apiVersion: 'authentication.platform/v1',
        user: 'admin',
        username: 'admin',
      },
    })
    expect(headers.get('cache-control')).to.equal('no-store')
    const self = await server.self(accessKey ?? '')
    expect([self['subject'], self['accessKeyType']]).to.deep.equal(['admin', 'Login'])
    const { type, ttl, user, identity } = await server.keyObject(accessKey ?? '')
    expect({ type, ttl, user, identity }).to.deep.equal({
      type: 'Login',
      ttl: 1_728_000,
      user: 'admin',
      identity: undefined,
    })
  })

  it('stores a scrypt hash only', async () => {
    expect(await storedOf('admin')).to.match(/^\$scrypt\$ln=14,r=8,p=5\$/)
  })

  it("accepts the platform's older hash, and replaces it by the current form (facts 1.3)", async () => {
    await server.makeUser('old', { username: 'old' })
    await storeHash('old', sha256('my-password'))
    expect((await login('old', sha256('my-password'))).status).to.equal(401)
    expect((await login('old', 'my-password')).status).to.equal(200)
    expect(await storedOf('old')).to.match(/^\$scrypt\$/)
    expect((await login('old', 'my-password')).status).to.equal(200)
  })

  it('accepts the email address, which is unique (reference 4, rule 2)', async () => {
    await server.makeUser('mail', { username: 'mail', email: 'One@mail.test' })
    await storeHash('mail', sha256('pw'))
    expect((await login('one@mail.test', 'pw')).status).to.equal(200)
    const other = { username: 'mail2', email: 'one@mail.test' }
    const refused = await server.makeUser('mail2', other).catch(String)
    expect(refused).to.include('spec.email: \\"one@mail.test\\" is another user\'s')
    expect((await login('one@mail.test', 'pw')).status).to.equal(200)
  })

  it("does not let a user take another user's login name", async () => {
    expect(await server.makeUser('mallory', { username: 'Admin' }).catch(String)).to.include('409')
    await server.makeUser('mallory', { username: 'mallory' })
    await storeHash('mallory', sha256('guess'))
    expect((await login('admin', 'guess')).status).to.equal(401)
    expect((await login('admin', 'the first password')).status).to.equal(200)
  })

  it('refuses a disabled user like a wrong password (spec auth.6)', async () => {
    await server.makeUser('gone', { username: 'gone', disabled: true })
    await storeHash('gone', sha256('pw'))
    const refused = await login('gone', 'pw')
    expect(refused.value).to.deep.equal({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'the user name or the password is wrong',
      reason: 'Unauthorized',
      code: 401,
    })
    expect((await login('gone', 'wrong')).value).to.deep.equal(refused.value)
    expect((await login('nobody', 'pw')).value).to.deep.equal(refused.value)
  })

  it('refuses everybody while disabled (spec config.auth.password, config.auth.password.disabled)', async () => {
    await server.configure({ auth: { password: { disabled: true } } })
    const { status, value } = await login('admin', 'the first password')
    expect([status, (value as { message: string }).message]).to.deep.equal([
      401,
      'login with a password is disabled',
    ])
    const info = await server.request('GET', '/auth/info')
    expect(info.value).to.deep.equal({
      kind: 'Info',
      apiVersion: 'authentication.platform/v1',
      methods: {
        sso: [],
        clusterManager: { enabled: false },
        password: { enabled: false },
        cli: { tokenEndpoint: '/auth/code/token' },
      },
      names: {
        platform: 'platform',
        domain: 'platform',
        proxySegment: 'kubernetes',
        cliRole: 'platformCLI',
      },
    })
    const page = await new Browser('x').open(`${server.url}/login`)
    expect(page.text).not.to.include('type="password"')
    await server.configure({})
  })

  it('gives the key its time to live, unlimited for zero (spec config.auth.loginAccessKeyTTLSeconds)', async () => {
    for (const [loginAccessKeyTTLSeconds, ttl] of [
      [60, 60],
      [0, undefined],
    ]) {
      await server.configure({ auth: { loginAccessKeyTTLSeconds } })
      const { value } = await login('admin', 'the first password')
      expect((await server.keyObject((value as { accessKey: string }).accessKey))['ttl']).to.equal(
        ttl,
      )
    }
    await server.configure({})
  })

  it('sets the headers on every response, errors too (spec config.auth.customHttpHeaders)', async () => {
    const customHttpHeaders = { 'X-Site': 'a', 'Content-Length': '1' }
    await server.configure({ auth: { customHttpHeaders } })
    for (const path of ['/auth/info', '/auth/nothing', '/auth/password/login', '/login']) {
      const answer = await fetch(server.url + path)
      expect([path, answer.headers.get('x-site')]).to.deep.equal([path, 'a'])
      await answer.text()
    }
    const api = await fetch(`${server.url}/version`)
    expect(api.headers.get('x-site')).to.equal(null)
    await server.configure({})
  })

  it('logout deletes the key of a login, and no other (facts 3.4)', async () => {
    const { value } = await login('admin', 'the first password')
    const { accessKey } = value as { accessKey: string }
    const { status, value: body } = await server.request(
      'POST',
      '/auth/logout',
      undefined,
      accessKey,
    )
    expect([status, (body as { status: string }).status]).to.deep.equal([200, 'Success'])
    const path = '/apis/management.platform/v1/users'
    expect((await server.request('GET', path, undefined, accessKey)).status).to.equal(401)
    await server.request('POST', '/auth/logout')
    expect((await server.request('GET', path)).status).to.equal(200)
  })

  it('returns a token for a valid key (reference 4)', async () => {
    const key = server.running.adminAccessKey
    const good = await server.request('POST', '/auth/token', { key })
    expect(good.value).to.deep.equal({
      kind: 'Token',
      apiVersion: 'authentication.platform/v1',
      token: key,
    })
    const bad = await server.request('POST', '/auth/token', { key: 'other' })
    expect([bad.status, (bad.value as { message: string }).message]).to.deep.equal([
      401,
      'platform access key not found. Please login again',
    ])
  })

  for (const { name, path, method, type, body, want } of [
    { name: 'another method', path: '/auth/password/login', method: 'GET', want: 405 },
    { name: 'another path', path: '/auth/password', method: 'POST', want: 404 },
    {
      name: 'a body of another type',
      path: '/auth/password/login',
      type: 'text/plain',
      body: '{}',
      want: 415,
    },
    { name: 'no JSON', path: '/auth/password/login', body: '{', want: 400 },
    { name: 'no object', path: '/auth/password/login', body: '[]', want: 400 },
    { name: 'no password', path: '/auth/password/login', body: '{"username":"admin"}', want: 400 },
    {
      name: 'a long body',
      path: '/auth/password/login',
      body: `"${'x'.repeat(600_000)}"`,
      want: 413,
    },
  ]) {
    it(`refuses ${name}: ${want}`, async () => {
      const headers = { 'content-type': type ?? 'application/json' }
      const init = method === 'GET' ? {} : { headers, body: body ?? '{}' }
      const answer = await fetch(server.url + path, { method: method ?? 'POST', ...init })
      expect(answer.status).to.equal(want)
      expect(((await answer.json()) as { kind: string }).kind).to.equal('Status')
    })
  }

  it('refuses requests of pages of other sites', async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${server.url}/auth/password/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ username: 'admin', password: 'the first password' }),
      })
    expect((await send({ origin: 'https://evil.test' })).status).to.equal(403)
    expect((await send({ origin: 'null' })).status).to.equal(403)
    expect((await send({ 'sec-fetch-site': 'cross-site' })).status).to.equal(403)
    expect((await send({ origin: server.url })).status).to.equal(200)
    const kept = { origin: 'null', 'sec-fetch-site': 'same-origin' }
    expect((await send(kept)).status).to.equal(200)
  })

  it('has a page for browsers without scripts, which ends with the key', async () => {
    const page = await new Browser('x').open(`${server.url}/login?cli=true`)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).to.match(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame/,
    )
    expect(page.text).not.to.include('<script')
    expect(page.text).to.match(/<html lang="en">[^]*<main>[^]*<label for="username">/)
    const send = async (password: string) => {
      const body = new URLSearchParams({ username: 'admin', password, cli: 'true' })
      const headers = { accept: 'text/html' }
      const answer = await fetch(`${server.url}/auth/password/login`, {
        method: 'POST',
        headers,
        body,
      })
      const text = await answer.text()
      return { status: answer.status, url: '', text, headers: answer.headers }
    }
    const done = await send('the first password')
    expect(done.text).to.include(`href="http://localhost:25843/login?key=${keyOf(done)}"`)
    expect(alertOf(await send('<b>'))).to.equal('401 the user name or the password is wrong')
  })

  it('works over HTTP/2 too, without express', async () => {
    const session = connect(server.running.url, { rejectUnauthorized: false })
    const stream = session.request({
      ':method': 'POST',
      ':path': '/auth/password/login',
      'content-type': 'application/json',
    })
    stream.end(JSON.stringify({ username: 'admin', password: 'the first password' }))
    let text = ''
    for await (const chunk of stream) text += String(chunk)
    session.close()
    expect((JSON.parse(text) as { kind: string }).kind).to.equal('AccessKey')
  })

  it('takes as long for an unknown user as for a wrong password', async () => {
    const fast = await LoginServer.start({ adminPassword: 'pw' })
    const timeOf = async (user: string) => {
      const begin = performance.now()
      await fast.passwordLogin(user, 'wrong')
      return performance.now() - begin
    }
    await timeOf('admin')
    const known = Math.min(await timeOf('admin'), await timeOf('admin'), await timeOf('admin'))
    const unknown = Math.min(await timeOf('no-1'), await timeOf('no-2'), await timeOf('no-3'))
    await fast.stop()
    expect(unknown / known).to.be.within(0.5, 2)
  })

  it('rate-limits guesses by account and by address, with the time to wait', async () => {
    const begun = realClock.now()
    // No attempt is refilled during the test, however long it takes.
    const clock = { ...realClock, now: () => begun }
    const held = await LoginServer.start({ adminPassword: 'pw' }, { clock })
    const guesses = Array.from({ length: 20 }, () => held.passwordLogin('admin', 'guess'))
    const codes = (await Promise.all(guesses)).map(({ status }) => status)
    const { status, headers } = await held.passwordLogin('admin', 'pw')
    await held.stop()
    expect(codes.filter((code) => code === 401).length).to.equal(10)
    expect(codes.filter((code) => code === 429).length).to.equal(10)
    expect(status).to.equal(429)
    expect(Number(headers.get('retry-after'))).to.be.within(1, 10)
  })
})
