import { expect } from 'chai'
import { OpenIdProvider } from '../../platform/logins/support/openIdProvider.ts'
import { adminPassword, group, type ConsoleBrowser } from './consoleBrowser.ts'
import type { ConsolePage } from './consolePage.ts'

/** Logins, rights, and the appearance of an installation. */
export function sessionsSuite(opened: () => ConsoleBrowser): void {
  describe('Sessions', () => {
    let browser: ConsoleBrowser
    let provider: OpenIdProvider | undefined

    before(() => {
      browser = opened()
    })
    after(() => provider?.close())

    const configure = (config: object) =>
      browser.call('POST', `${group}/configs`, {
        metadata: { name: 'config' },
        spec: { raw: Buffer.from(JSON.stringify(config)).toString('base64') },
      })
    const stored = (page: ConsolePage) =>
      page.evaluate<string | null>(`sessionStorage.getItem('console-session')`)

    async function signedInByPassword(): Promise<ConsolePage> {
      const page = await browser.page()
      await page.goTo(`${browser.server.url}/`)
      await page.shows('Password')
      await page.until(`document.activeElement.id === 'username'`)
      await page.type('admin')
      await page.press('Tab')
      await page.type(adminPassword)
      await page.press('Enter')
      await page.shows('Overview')
      return page
    }

    it('begin at / by the keyboard, and leave the key in no cookie and no address', async () => {
      const page = await signedInByPassword()
      expect(await page.evaluate('location.pathname + location.search')).to.equal('/console/')
      const { cookies } = await page.send('Network.getAllCookies')
      expect(cookies).to.deep.equal([])
      expect(await page.evaluate('localStorage.getItem("console-session")')).to.equal(null)
      expect(page.complaints).to.deep.equal([])
    })

    it('say why a wrong password or key was refused', async () => {
      const page = await browser.page()
      await page.goTo(`${browser.server.url}/console/`)
      await page.fill('#username', 'admin')
      await page.fill('#password', 'wrong')
      await page.press('Enter')
      await page.shows('the user name or the password is wrong')
      expect(await page.violations()).to.deep.equal([])
      await page.click('Use an access key')
      await page.fill('#key', 'no-such-key')
      await page.press('Enter')
      await page.shows('access key not found')
    })

    it('reach a new tab of the same browser, and end in all of them, with the key', async () => {
      const first = await signedInByPassword()
      const second = await browser.page(first.context)
      await second.goTo(`${browser.server.url}/console/#/keys`)
      await second.shows('New key')
      const { token } = JSON.parse((await stored(first)) ?? '{}') as { token: string }
      await first.click('Account of Administrator')
      await first.click('Sign out')
      await first.shows('Sign in')
      await second.shows('Sign in')
      expect(await stored(second)).to.equal(null)
      const { status } = await fetch(`${browser.server.insecureUrl}/api`, {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(status).to.equal(401)
    })

    it('end with their key, and say so', async () => {
      const key = await browser.user('gone')
      const page = await browser.signedIn(key)
      await browser.call('DELETE', `${group}/ownedaccesskeys/key-of-gone`)
      await page.click('Projects')
      await page.shows('Your session has ended. Sign in again to continue.')
    })

    it('begin through a real OpenID provider by a code that only the tab can use, once', async () => {
      const redirectURI = `${browser.server.url}/auth/oidc/callback`
      provider = await OpenIdProvider.start([redirectURI])
      provider.accounts.set('jane-1', { preferred_username: 'jane', name: 'Jane Roe' })
      const { url: issuerUrl, caFile } = provider
      const client = { clientId: 'platform', clientSecret: 'a secret of the client: 0123456789' }
      await configure({
        auth: { oidc: { ...client, issuerUrl, redirectURI, caFile, type: 'the company' } },
      })
      const page = await browser.page()
      await page.goTo(`${browser.server.url}/console/#/keys`)
      await page.click('Continue with the company')
      await page.until(`document.querySelector('input[name=login]')`)
      await page.fill('input[name=login]', 'jane-1')
      await page.press('Tab')
      await page.type('any')
      await page.press('Enter')
      await page.shows('Authorize')
      await page.evaluate(`document.querySelector('button').click()`)
      await page.shows('New key')
      expect(await page.evaluate('location.search + location.hash')).to.equal('#/keys')
      await page.shows('Jane Roe')
      const returns = page.requests.filter((request) => request.includes('/console/?code='))
      expect(returns.length).to.equal(1)
      const key = JSON.parse((await stored(page)) ?? '{}') as { token: string }
      expect(page.requests.filter((request) => request.includes(key.token))).to.deep.equal([])
      const code = new URL(returns[0]?.replace('GET ', '') ?? '').searchParams.get('code')
      const again = await fetch(`${browser.server.insecureUrl}/auth/code/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code, code_verifier: 'x' }),
      })
      expect(again.status).to.equal(401)
    })

    it('are not begun by a code that the tab did not ask for', async () => {
      const page = await browser.page()
      await page.goTo(`${browser.server.url}/console/?code=someone-elses&state=0123456789abcdef`)
      await page.shows('This sign-in was started in another tab or browser.')
      expect(await stored(page)).to.equal(null)
      expect(await page.evaluate('location.search')).to.equal('')
    })

    it('of a user with few rights show what the user may, a sentence for the rest, and no 403', async () => {
      await browser.call('POST', `${group}/projects`, { metadata: { name: 'team' } })
      const key = await browser.user('few')
      await browser.call('PATCH', `${group}/projects/team`, {
        spec: {
          members: [
            {
              ...{ kind: 'User', group: 'management.platform', name: 'few' },
              clusterRole: 'no-such-role',
            },
          ],
        },
      })
      const page = await browser.signedIn(key)
      const menu = await page.evaluate<string>(`document.querySelector('nav').innerText`)
      expect(menu).to.include('Projects').and.to.not.include('Configuration')
      for (const [address, text] of [
        ['#/projects', 'team'],
        ['#/projects/team', 'Members'],
        ['#/k/core/v1/secrets', 'Your account may not list secrets in all namespaces'],
        ['#/o/core/v1/secrets/default/any', 'Your account may not read the Secret'],
        ['#/new/core/v1/secrets?ns=default', 'Your account may not create secrets here'],
        ['#/config', 'Your account may not read the platform'],
        ['#/keys', 'key-of-few'],
        ['#/k/management.platform/v1/users', 'few'],
        ['#/o/management.platform/v1/users/-/few', 'Username'],
        ['#/o/management.platform/v1/users/-/few?tab=events', 'Your account may not list events'],
        ['#/o/management.platform/v1/users/-/few?tab=related', 'Owned by'],
        ['#/docs', 'operations'],
      ] as const) {
        await browser.at(page, address, text)
        expect(await page.violations(), address).to.deep.equal([])
      }
      expect(page.complaints).to.deep.equal([])
    })

    it('wear the colors and texts of the installation, from which nothing hostile is run', async () => {
      await configure({
        uiSettings: {
          primaryColor: '#ffee00',
          accentColor: '#ffee00',
          legalTemplate:
            '<p onclick="window.stolen=1">By <a href="https://example.com/terms">terms</a> & <a href="javascript:window.stolen=1">more</a></p><script>window.stolen=1</script>',
          customJavaScript: ['https://scripts.example.com/one.js'],
          logoURL: 'https://images.example.com/logo.png',
        },
      })
      const page = await browser.page()
      for (const scheme of ['light', 'dark'] as const) {
        await page.useScheme(scheme)
        await page.goTo(`${browser.server.url}/console/`)
        await page.shows('By terms & more')
        expect(await page.violations()).to.deep.equal([])
      }
      const links = `[...document.querySelectorAll('.legal a')].map((each) => each.getAttribute('href'))`
      expect(await page.evaluate(links)).to.deep.equal(['https://example.com/terms', null])
      expect(await page.evaluate('window.stolen')).to.equal(undefined)
      const policy = await fetch(`${browser.server.insecureUrl}/console/`).then(({ headers }) =>
        headers.get('content-security-policy'),
      )
      expect(policy).to.include("script-src 'self' https://scripts.example.com/one.js;")
      expect(policy).to.include("img-src 'self' https://images.example.com data:;")
      const inline = await page.evaluate(`new Promise((resolve) => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
        resolve(violatedDirective))
      document.body.append(Object.assign(document.createElement('img'),
        { src: 'https://elsewhere.example.com/x.png' }))
    })`)
      expect(inline).to.equal('img-src')
      await configure({})
    })

    it('hand no key to a window that opened the console, nor to its messages', async () => {
      const page = await signedInByPassword()
      const key = JSON.parse((await stored(page)) ?? '{}') as { token: string }
      await page.evaluate(`window.postMessage({ type: 'ask' }, '*')`)
      const leaks = await page.evaluate<string>(
        `[document.documentElement.outerHTML, location.href, document.cookie,
          JSON.stringify(localStorage), JSON.stringify(history.state), window.name].join()`,
      )
      expect(leaks).to.not.include(key.token)
      const other = await browser.page()
      await other.goTo(`${browser.server.url}/console/`)
      await other.shows('Sign in')
      expect(await stored(other)).to.equal(null)
      expect(await page.evaluate('window.opener')).to.equal(null)
    })

    it('work in every window that is 640 px wide at 200 % zoom', async () => {
      const page = await signedInByPassword()
      await page.send('Emulation.setDeviceMetricsOverride', {
        ...{ width: 320, height: 500, deviceScaleFactor: 2, mobile: false },
      })
      for (const address of ['#/', '#/keys', '#/k/core/v1/configmaps']) {
        await page.goTo(`${browser.server.url}/console/${address}`)
        await page.until(`document.querySelector('h1')`)
        const widest = await page.evaluate<number>('document.documentElement.scrollWidth')
        expect(widest, address).to.be.at.most(320)
      }
      await page.click('Menu')
      await page.click('Users')
      await page.until(`location.hash === '#/k/management.platform/v1/users'`)
    })
  })
}
