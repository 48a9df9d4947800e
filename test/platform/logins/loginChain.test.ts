import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { waitUntil } from '../../support/waitUntil.ts'
import { Browser } from './support/browser.ts'
import { ForgedProvider } from './support/forgedProvider.ts'
import { keyOf, LoginServer } from './support/loginServer.ts'

interface Event {
  auditID: string
  requestURI: string
  verb: string
  user: { username?: string }
  sourceIPs: string[]
  responseStatus?: { code: number; message?: string }
  annotations?: Record<string, string>
}

/** Login paths pass the same filters as every other request. */
describe('logins in the filter chain', function () {
  this.timeout(20_000)
  let server: LoginServer
  let provider: ForgedProvider
  let folder: string
  let path: string
  const logged: string[] = []

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'logins-'))
    path = join(folder, 'audit.log')
    const logTo = { write: (line: string) => void logged.push(line) }
    const origins = { corsAllowedOrigins: ['https://console\\.test'] }
    const options = { adminPassword: 'pw-right', logLevel: 'trace', ...origins } as const
    server = await LoginServer.start(options, { logTo })
    provider = new ForgedProvider()
    await provider.start()
    const oidc = {
      issuerUrl: provider.url,
      clientId: 'platform',
      clientSecret: provider.clientSecret,
      redirectURI: `${server.url}/auth/oidc/callback`,
    }
    const customHttpHeaders = { 'X-Site': 'a' }
    const clusterManager = { host: provider.url, bearerToken: 'manager:token' }
    await server.configure({
      auth: { oidc, customHttpHeaders, clusterManager },
      audit: { enabled: true, level: 4, path },
    })
  })
  after(async () => {
    await provider.close()
    await server.stop()
    await rm(folder, { recursive: true })
  })

  const eventsOf = async (auditId: string | null): Promise<Event[]> => {
    const read = async () =>
      (await readFile(path, 'utf8').catch(() => ''))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Event)
        .filter(({ auditID }) => auditID === auditId)
    await waitUntil(async () => (await read()).length > 0)
    return read()
  }

  it('are in the audit log with the user and the id in the response', async () => {
    const { headers } = await server.passwordLogin('admin', 'pw-right')
    const [event] = await eventsOf(headers.get('audit-id'))
    expect({ ...event?.annotations }).to.deep.include({
      'platform/user': 'admin',
      'platform/connector': 'password',
    })
    expect([event?.requestURI, event?.verb, event?.responseStatus?.code]).to.deep.equal([
      '/auth/password/login',
      'post',
      200,
    ])
    const refused = await server.request('POST', '/auth/password/login', { username: 'admin' }, '-')
    const [other] = await eventsOf(refused.headers.get('audit-id'))
    expect([other?.user.username, other?.responseStatus]).to.deep.equal([
      'system:anonymous',
      {
        metadata: {},
        status: 'Failure',
        message: 'username and password are required',
        reason: 'BadRequest',
        code: 400,
      },
    ])
  })

  it("keep the client's audit id", async () => {
    const headers = { 'audit-id': 'my-request' }
    const answer = await fetch(`${server.url}/auth/info`, { headers })
    expect(answer.headers.get('audit-id')).to.equal('my-request')
  })

  it('are counted', async () => {
    await fetch(`${server.url}/auth/info`)
    const { status, text } = await textOf(server, '/metrics')
    expect(status).to.equal(200)
    expect(text).to.match(/apiserver_request_total\{[^}]*scope=""[^}]*\} [1-9]/)
  })

  it('ignore an expired credential', async () => {
    const answer = await server.request('GET', '/auth/info', undefined, 'over')
    expect(answer.status).to.equal(200)
  })

  it('are outside the prefix of the API', async () => {
    const { status } = await textOf(server, '/kubernetes/management/auth/info')
    expect(status).to.equal(404)
  })

  it('have the limits of other requests, and the configured headers', async () => {
    const busy = await LoginServer.start({ maxMutatingRequestsInflight: 0, adminPassword: 'pw' })
    await busy.configure({ auth: { customHttpHeaders: { 'X-Site': 'a' } } })
    const login = { username: 'admin', password: 'pw' }
    const init = { method: 'POST', body: JSON.stringify(login) }
    const answer = await fetch(`${busy.url}/auth/password/login`, {
      ...init,
      headers: { 'content-type': 'application/json' },
    })
    await busy.stop()
    expect([answer.status, answer.headers.get('x-site')]).to.deep.equal([429, 'a'])
  })

  it('end at their deadline', async () => {
    const path = '/auth/password/login?timeout=1ms'
    const { status } = await server.request('POST', path, { username: 'admin', password: 'x' })
    expect(status).to.equal(504)
  })

  it('accept logins from allowed origins only', async () => {
    const send = (origin: string) =>
      fetch(`${server.url}/auth/password/login`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
        body: JSON.stringify({ username: 'admin', password: 'pw-right' }),
      })
    const allowed = await send('https://console.test')
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).to.deep.equal([
      200,
      'https://console.test',
    ])
    expect((await send('https://other.test')).status).to.equal(403)
  })

  it('reveal no secrets to the audit log and the log, whatever fails', async () => {
    const secrets: string[] = []
    const secret = (text: string) => (secrets.push(text), text)
    await server.passwordLogin('admin', secret('pw-right'))
    await server.passwordLogin('admin', secret('pw-wrong-guess'))
    const headers = { 'content-type': 'application/json' }
    const body = `{"username":"admin","password":${secret('pw-unquoted')}}`
    await fetch(`${server.url}/auth/password/login`, { method: 'POST', headers, body })
    await server.request('POST', '/auth/token', { key: secret('a-key-of-somebody') })
    await server.request('POST', '/auth/oidc/token', { token: secret('not.a.token-of-anybody') })
    for (const name of [
      'code',
      'state',
      'token',
      'SAMLResponse',
      'RelayState',
      'id_token',
      'key',
    ]) {
      const query = `${name}=${secret(`in-the-query-${name}`)}`
      await fetch(`${server.url}/auth/oidc/callback?${query}`)
      await fetch(`${server.url}/auth/saml/callback?${query}`)
    }
    const browser = new Browser('x')
    secret(keyOf(await browser.open(`${server.url}/auth/oidc/login`)))
    secret(provider.asked.get('state') ?? '')
    secret(provider.clientSecret)
    for (const code of [200, 500]) {
      for (const answer of brokenAnswers) {
        provider.fault = (response) => response.writeHead(code).end(answer(secret))
        await new Browser('x').open(`${server.url}/auth/oidc/login`)
      }
    }
    // Parsers quote invalid input.
    provider.fault = (response) => response.end(secret('s3cr3t'))
    const token = secret('a-token-of-the-cluster-manager')
    await server.request('POST', '/auth/clusterManager/login', { token })
    secret('manager:token')
    provider.fault = undefined
    const last = await server.request('GET', '/auth/info')
    await eventsOf(last.headers.get('audit-id'))
    const form = new URLSearchParams({ SAMLResponse: secret('a-response'), RelayState: 'x' })
    const posted = await fetch(`${server.url}/auth/oidc/callback`, { method: 'POST', body: form })
    await eventsOf(posted.headers.get('audit-id'))
    const told = (await readFile(path, 'utf8')) + logged.join('')
    expect(told).to.include('/auth/oidc/callback')
    expect(logged.join('')).to.include('cannot be reached')
    expect(secrets.filter((text) => text === '' || told.includes(text))).to.deep.equal([])
  })
})

/** Invalid responses that a provider may send by mistake. */
const brokenAnswers = [
  (secret: (text: string) => string) => `{"access_token":"${secret('an-access-token')}",`,
  (secret: (text: string) => string) =>
    JSON.stringify({ access_token: secret('another-token'), token_type: 5 }),
  (secret: (text: string) => string) =>
    `${secret('a-naked-token')} is what you asked for, and it is not JSON`,
]

async function textOf(server: LoginServer, path: string) {
  const headers = { authorization: `Bearer ${server.running.adminAccessKey}` }
  const answer = await fetch(server.url + path, { headers })
  return { status: answer.status, text: await answer.text() }
}
