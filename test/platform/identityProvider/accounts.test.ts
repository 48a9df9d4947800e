import { expect } from 'chai'
import type { Configuration } from 'openid-client'
import { waitUntil } from '../../support/waitUntil.ts'
import { PlatformBrowser } from './platformBrowser.ts'
import { password, ProviderServer, refusalOf, type Tokens } from './providerServer.ts'

/** Validity of tokens after changes to their user. */
describe('the platform as an OpenID provider: users', function () {
  this.timeout(30_000)
  let provider: ProviderServer
  let configuration: Configuration

  before(async () => {
    provider = await ProviderServer.start()
    await provider.configure()
    configuration = await provider.client()
  })
  after(() => provider.stop())

  const change = async (name: string, spec: Record<string, unknown>) => {
    const user = await provider.server.get(`users/${name}`)
    const next = { ...user, spec: { ...(user['spec'] as object), ...spec } }
    await provider.server.api('PUT', `users/${name}`, next)
  }
  const refusals = async (tokens: Tokens) => [
    await refusalOf(provider.refresh(configuration, tokens.refresh_token)),
    await refusalOf(provider.userInfo(configuration, tokens)),
  ]
  const none = ['invalid_grant', 'invalid_token']
  const all = ['nothing was refused', 'nothing was refused']

  const cases: { name: string; act: (user: string) => Promise<unknown> }[] = [
    { name: 'disabled', act: (user) => change(user, { disabled: true }) },
    { name: 'deleted', act: (user) => provider.server.api('DELETE', `users/${user}`) },
    { name: 'given another token generation', act: (user) => change(user, { tokenGeneration: 7 }) },
  ]
  for (const [at, { name, act }] of cases.entries()) {
    it(`tokens of a user that is ${name} are refused (spec auth.6)`, async () => {
      const user = `user-${at}`
      await provider.makeUser(user)
      const browser = new PlatformBrowser({ username: user, password })
      const tokens = await provider.logIn(user, { configuration, browser })
      expect(await refusals(tokens)).to.deep.equal(all)
      await act(user)
      expect(await refusals(tokens)).to.deep.equal(none)
      const begun = await provider.begin(configuration, { prompt: 'none' })
      const { url } = await browser.open(begun.url)
      expect(await refusalOf(provider.finish(configuration, url, begun))).to.equal('login_required')
    })
  }

  it('a code of a user disabled before the exchange is refused', async () => {
    await provider.makeUser('late')
    const begun = await provider.begin(configuration)
    const { url } = await new PlatformBrowser({ username: 'late', password }).open(begun.url)
    await change('late', { disabled: true })
    expect(await refusalOf(provider.finish(configuration, url, begun))).to.equal('invalid_grant')
  })

  it('a user created later with the same name is a different subject', async () => {
    await provider.makeUser('twin')
    const tokens = await provider.logIn('twin', { configuration })
    await provider.server.api('DELETE', 'users/twin')
    await provider.server.makeUser('twin', { username: 'twin' })
    expect(await refusals(tokens)).to.deep.equal(none)
  })

  it('a refresh token expires no later than access keys may (spec config.auth.accessKeyMaxTTLSeconds)', async () => {
    const own = await ProviderServer.start()
    try {
      await own.configure()
      const app = await own.client()
      const tokens = await own.logIn('admin', { configuration: app })
      await own.refresh(app, tokens.refresh_token)
      await own.configure({}, { auth: { accessKeyMaxTTLSeconds: 1 } })
      const refresh = () => refusalOf(own.refresh(app, tokens.refresh_token))
      await waitUntil(async () => (await refresh()) === 'invalid_grant')
    } finally {
      await own.stop()
    }
  })
})
