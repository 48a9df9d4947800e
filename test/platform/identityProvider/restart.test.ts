import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { PlatformBrowser } from './platformBrowser.ts'
import { callback, password, ProviderServer, refusalOf } from './providerServer.ts'

describe('the platform as an OpenID provider, restarted', function () {
  this.timeout(60_000)
  let provider: ProviderServer
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'identity-'))
    provider = await ProviderServer.start({ storage: 'level', dataDir: folder })
    await provider.configure()
    await provider.makeUser('jane')
  })
  afterEach(async () => {
    await provider.stop()
    await rm(folder, { recursive: true })
  })

  /** Restarts the server at the same address. */
  const restart = async () => {
    const securePort = Number(new URL(provider.url).port)
    await provider.stop()
    provider = await ProviderServer.start({ storage: 'level', dataDir: folder, securePort })
  }

  it("continues a login at every step, with its tokens and the browser's session", async () => {
    const configuration = await provider.client()
    const begun = await provider.begin(configuration)
    const visitor = new PlatformBrowser()
    const { url } = await visitor.open(begun.url)
    expect(new URL(url).pathname).to.equal('/login')

    await restart()
    const browser = new PlatformBrowser({ username: 'jane', password })
    browser.take(visitor)
    const returned = await browser.open(url)
    expect(returned.url.startsWith(`${callback}?`)).to.equal(true)

    await restart()
    const tokens = await provider.finish(configuration, returned.url, begun)

    await restart()
    const { sub } = await provider.userInfo(configuration, tokens)
    expect(sub).to.equal(tokens.claims()?.sub)
    const next = await provider.refresh(configuration, tokens.refresh_token)
    expect(next.claims()?.sub).to.equal(sub)
    const silent = await provider.begin(configuration, { prompt: 'none' })
    const again = await browser.open(silent.url)
    await provider.finish(configuration, again.url, silent)
    // A code used before a restart cannot be used again.
    expect(await refusalOf(provider.finish(configuration, returned.url, begun))).to.equal(
      'invalid_grant',
    )
  })

  it('stores its keys readable by the owner only, and no credential in the storage', async () => {
    const configuration = await provider.client()
    const browser = new PlatformBrowser({ username: 'jane', password })
    const tokens = await provider.logIn('jane', { configuration, browser })
    const session = browser.cookie('platform-oidc') ?? ''
    const key = await readFile(join(folder, 'pki', 'identity-signing-keys.json'), 'utf8')
    const { d } = (JSON.parse(key) as [{ jwk: { d: string } }])[0].jwk
    await restart()
    const files = await readdir(folder, { recursive: true, withFileTypes: true })
    const stored = await Promise.all(
      files
        .filter((file) => file.isFile() && !file.parentPath.endsWith('pki'))
        .map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
    )
    const all = stored.join('\n')
    expect(all).to.include('IdentityProviderRecord')
    for (const secret of [tokens.access_token, tokens.refresh_token ?? '', session, d]) {
      expect(secret).to.match(/^.{20,}$/)
      expect(all.includes(secret)).to.equal(false)
    }
  })
})
