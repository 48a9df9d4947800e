import { expect } from 'chai'
import { createHash, randomBytes } from 'node:crypto'
import { LoginServer } from './support/loginServer.ts'

const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')
const state = 'a-state-of-the-client'
const redirect = 'http://127.0.0.1:9/callback'

describe('login of a command-line client', () => {
  let server: LoginServer
  before(async () => {
    server = await LoginServer.start({ adminPassword: 'the first password' })
  })
  after(() => server.stop())

  const query = (more: Record<string, string | undefined> = {}) => {
    const fields = {
      cli: 'true',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state,
      redirect_uri: redirect,
      ...more,
    }
    const given = Object.entries(fields).filter((entry): entry is [string, string] => !!entry[1])
    return new URLSearchParams(given).toString()
  }
  const page = async (path: string, form?: Record<string, string>) => {
    const response = await fetch(server.url + path, {
      headers: { accept: 'text/html' },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    return { status: response.status, text: (await response.text()).replaceAll('&amp;', '&') }
  }
  const logIn = (given: string) =>
    page(`/auth/password/login?${given}`, { username: 'admin', password: 'the first password' })
  const exchange = (body: Record<string, string>) =>
    server.request('POST', '/auth/code/token', body, '')
  const codeFor = async () => {
    const { text } = await logIn(query())
    const address = /id="continue">/.test(text)
      ? /<a class="button" href="([^"]+)"/.exec(text)
      : null
    return new URL(address?.[1] ?? '').searchParams.get('code') ?? ''
  }

  it('gives the client a code, which it exchanges for a login key', async () => {
    const { text } = await logIn(query())
    const href = /<a class="button" href="([^"]+)"/.exec(text)?.[1] ?? ''
    const address = new URL(href)
    expect([address.origin + address.pathname, address.searchParams.get('state')]).to.deep.equal([
      redirect,
      state,
    ])
    expect(text).to.not.include('id="key"')
    const code = address.searchParams.get('code') ?? ''
    const { status, value } = await exchange({ code, code_verifier: verifier })
    const { accessKey, user } = value as { accessKey: string; user: string }
    expect([status, user]).to.deep.equal([200, 'admin'])
    expect(await server.keyObject(accessKey)).to.include({ user: 'admin', type: 'Login' })
  })

  it('shows the code if the client is on another machine', async () => {
    const { text } = await logIn(query({ redirect_uri: undefined }))
    const code = /id="code" value="([^"]+)"/.exec(text)?.[1] ?? ''
    expect((await exchange({ code, code_verifier: verifier })).status).to.equal(200)
  })

  it("accepts a code once, and only with the client's own secret", async () => {
    const used = await codeFor()
    await exchange({ code: used, code_verifier: verifier })
    const again = await exchange({ code: used, code_verifier: verifier })
    const wrong = await codeFor()
    const stolen = await exchange({ code: wrong, code_verifier: 'of another client' })
    const after = await exchange({ code: wrong, code_verifier: verifier })
    expect([again.status, stolen.status, after.status]).to.deep.equal([401, 401, 401])
  })

  it('passes the request on in the form of the login page', async () => {
    const { text } = await page(`/login?${query()}`)
    const action = /<form method="post" action="([^"]+)"/.exec(text)?.[1] ?? ''
    expect(new URL(action, server.url).searchParams.get('code_challenge')).to.equal(challenge)
  })

  const refused: [what: string, more: Record<string, string | undefined>][] = [
    ['an address on another machine', { redirect_uri: 'http://evil.example/callback' }],
    ['an address of https on this machine', { redirect_uri: 'https://127.0.0.1:9/callback' }],
    ['no state', { state: undefined }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['a challenge that is no digest', { code_challenge: 'short' }],
    ['no challenge', { code_challenge: undefined }],
  ]
  for (const [what, more] of refused) {
    it(`refuses a request with ${what}: 400, and gives no code after the login`, async () => {
      expect((await page(`/login?${query(more)}`)).status).to.equal(400)
      expect((await logIn(query(more))).text).to.not.include('code=')
    })
  }
})
