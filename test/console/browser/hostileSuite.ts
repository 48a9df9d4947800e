import { expect } from 'chai'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { group, type ConsoleBrowser } from './consoleBrowser.ts'

const markup = `"><img src=x onerror="window.stolen=1"><svg onload="window.stolen=1">{{7*7}}`

/** Attacks of other sites, and of users who may write names, labels and the configuration. */
export function hostileSuite(opened: () => ConsoleBrowser): void {
  describe('Attacks', () => {
    let browser: ConsoleBrowser
    let elsewhere: Server
    let other = ''
    /** Requests received by the other site, with their headers. */
    const reached: string[] = []
    let content = ''

    before(async () => {
      browser = opened()
      elsewhere = createServer((request, response) => {
        reached.push(`${request.url} ${JSON.stringify(request.headers)}`)
        response.setHeader(
          'content-type',
          request.url?.endsWith('.js') ? 'text/javascript' : 'text/html',
        )
        response.end(request.url?.endsWith('.js') ? 'window.stolen = 1' : content)
      }).listen(0, '127.0.0.1')
      await once(elsewhere, 'listening')
      // Sound: a server that listens on TCP has an address and a port.
      other = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    })
    after(async () => {
      elsewhere.closeAllConnections()
      elsewhere.close()
      await configure({})
    })

    const configure = (config: object) =>
      browser.call('POST', `${group}/configs`, {
        metadata: { name: 'config' },
        spec: { raw: Buffer.from(JSON.stringify(config)).toString('base64') },
      })
    const openedOtherSite = async (body: string, context?: string) => {
      content = `<!doctype html><h1>Other</h1>${body}`
      const page = await browser.page(context)
      await page.goTo(`${other}/`)
      await page.shows('Other')
      return page
    }

    it('by navBarButtons: links that run scripts are refused, others know nothing of the console', async () => {
      for (const link of [
        'javascript:window.stolen=1',
        'data:text/html,x',
        '//evil.example',
        'vbscript:x',
        'https:evil',
      ])
        await configure({ uiSettings: { navBarButtons: [{ text: 'x', link }] } }).then(
          () => expect.fail(`${link} was stored`),
          (error: Error) => expect(error.message).to.include('navBarButtons'),
        )
      await configure({
        uiSettings: {
          navBarButtons: [
            { text: markup, link: `${other}/handbook`, position: 'TopStart' },
            { text: 'Mail', link: 'mailto:help@example.com' },
          ],
        },
      })
      const page = await browser.signedIn()
      await page.until(`document.querySelector('nav a[href$="/handbook"]')`)
      const attributes = await page.evaluate<object>(`(() => {
        const { rel, target, referrerPolicy, textContent } = document.querySelector('nav a[href$="/handbook"]')
        return { rel, target, referrerPolicy, text: textContent.trim() }
      })()`)
      expect(attributes).to.deep.equal({
        rel: 'noopener noreferrer',
        target: '_blank',
        referrerPolicy: 'no-referrer',
        text: markup,
      })
      expect(await page.evaluate('window.stolen')).to.equal(undefined)
      expect(await page.violations()).to.deep.equal([])
      expect(page.complaints).to.deep.equal([])
    })

    it('by markup in labels, annotations, names of keys, descriptions and events: it is text everywhere', async () => {
      const labels = { 'example.com/a': 'b' }
      await browser.call('POST', '/api/v1/namespaces/default/configmaps', {
        metadata: { name: 'hostile', labels, annotations: { 'example.com/html': markup } },
        data: { 'a.b': markup, link: 'javascript:window.stolen=1' },
      })
      await browser.call('POST', `${group}/projects`, {
        metadata: { name: 'hostile' },
        spec: { displayName: markup, description: markup },
      })
      await browser.call('POST', `${group}/users`, {
        metadata: { name: 'hostile' },
        spec: {
          username: 'hostile',
          subject: 'hostile',
          displayName: markup,
          icon: 'javascript:window.stolen=1',
        },
      })
      const page = await browser.signedIn()
      for (const [address, text] of [
        ['#/', 'Overview'],
        ['#/projects', '{{7*7}}'],
        ['#/projects/hostile', '{{7*7}}'],
        ['#/o/core/v1/configmaps/default/hostile', '{{7*7}}'],
        ['#/o/core/v1/configmaps/default/hostile?tab=yaml', 'Review and save'],
        ['#/o/core/v1/configmaps/default/hostile?tab=history', 'No earlier version'],
        ['#/o/management.platform/v1/users/-/hostile', '{{7*7}}'],
        [`#/k/core/v1/configmaps?q=${encodeURIComponent(markup)}`, 'match the search'],
        [`#/${encodeURIComponent(markup)}`, 'There is no such page'],
        [`#/o/core/v1/configmaps/default/${encodeURIComponent(markup)}`, 'There is no'],
        [`#/~${encodeURIComponent('//evil.example')}/k/core/v1/pods`, ''],
      ] as const) {
        await browser.at(page, address, text)
        await page.settles()
        expect(await page.evaluate('window.stolen'), address).to.equal(undefined)
        const links = await page.evaluate<string[]>(
          `[...document.querySelectorAll('a[href]')].map((each) => each.protocol)`,
        )
        expect(
          [...new Set(links)].filter((each) => !/^https?:$|^mailto:$/.test(each)),
          address,
        ).to.deep.equal([])
      }
      const { origin } = new URL(browser.server.url)
      expect(
        page.requests
          .map((request) => request.split(' ')[1] ?? '')
          .filter((url) => !url.startsWith(origin) && !url.startsWith('data:')),
      ).to.deep.equal([])
    })

    it('by a script of an origin that the configuration does not name: the policy refuses it', async () => {
      await configure({
        uiSettings: { customJavaScript: [`${other}/allowed.js`], externalURLs: { block: true } },
      })
      const page = await browser.page()
      await page.goTo(`${browser.server.insecureUrl}/console/`)
      await page.shows('Sign in')
      await page.settles()
      // Blocked by externalURLs, although it is configured.
      expect(await page.evaluate('window.stolen')).to.equal(undefined)
      const thrown = await page.evaluate<string>(
        `(() => { try { document.createElement('script').src = ${JSON.stringify(`${other}/x.js`)}; return '' } catch (error) { return error.name } })()`,
      )
      expect(thrown).to.equal('TypeError')
      const markupRefused = await page.evaluate<string>(
        `(() => { try { document.body.insertAdjacentHTML('beforeend', '<b>x</b>'); return '' } catch (error) { return error.name } })()`,
      )
      expect(markupRefused).to.equal('TypeError')
      expect(reached.filter((request) => request.startsWith('/allowed.js'))).to.deep.equal([])
      await configure({ uiSettings: { customJavaScript: [`${other}/allowed.js`] } })
      const allowing = await browser.page()
      await allowing.goTo(`${browser.server.insecureUrl}/console/`)
      await allowing.until('window.stolen === 1')
      await configure({})
    })

    it('by framing: the page is not shown in another one', async () => {
      const page = await openedOtherSite(`<iframe src="${browser.server.url}/console/"></iframe>`)
      await page.until(`document.querySelector('iframe').contentDocument === null`)
      await page.settles()
      expect(page.complaints.join()).to.match(/frame-ancestors|X-Frame-Options/i)
    })

    it('by requests of other sites: no cookie acts for the user, and no answer can be read', async () => {
      const victim = await browser.signedIn()
      const page = await openedOtherSite(
        `<form method="post" action="${browser.server.url}/api/v1/namespaces" enctype="text/plain">
          <input name='{"metadata":{"name":"forged"},"x":"' value='"}'></form>`,
        victim.context,
      )
      const path = JSON.stringify(`${browser.server.url}/api/v1/namespaces`)
      const read = await page.evaluate<string>(
        `fetch(${path}, { credentials: 'include' }).then(() => 'read', (error) => error.name)`,
      )
      expect(read).to.equal('TypeError')
      await page.evaluate(`document.querySelector('form').submit()`)
      await page.until(`location.href.startsWith(${JSON.stringify(browser.server.url)})`)
      await page.shows('401')
      const { items } = await browser.call<{ items: { metadata: { name: string } }[] }>(
        'GET',
        '/api/v1/namespaces',
      )
      expect(items.map(({ metadata }) => metadata.name)).to.not.include('forged')
    })

    it('by a window that keeps the console’s: it sees neither its storage nor its address, and no message gives the key', async () => {
      const page = await openedOtherSite('')
      const got = await page.evaluate<unknown[]>(`new Promise((resolve) => {
        const heard = []
        addEventListener('message', ({ data }) => heard.push(data))
        const opened = window.open(${JSON.stringify(`${browser.server.url}/console/`)})
        setTimeout(() => {
          opened?.postMessage({ type: 'ask' }, '*')
          let address = ''
          try { address = opened.location.href } catch (error) { address = error.name }
          setTimeout(() => resolve([heard, address === 'about:blank' ? 'SecurityError' : address]), 500)
        }, 1500)
      })`)
      expect(got[0]).to.deep.equal([])
      expect(String(got[1])).to.not.include('console')
    })

    it('by addresses that lead elsewhere: no redirect leaves the server', async () => {
      const html = { accept: 'text/html' }
      for (const path of [
        '/console/?returnTo=https://evil.example',
        '/?next=//evil.example',
        '//evil.example/console',
        '/console//evil.example',
        `/login?redirect_uri=${encodeURIComponent('https://evil.example/')}&code_challenge=x&code_challenge_method=S256&state=1`,
        '/auth/oidc/login?console=x&state=y&redirect_uri=https://evil.example',
      ]) {
        const response = await fetch(browser.server.insecureUrl + path, {
          headers: html,
          redirect: 'manual',
        })
        const location = response.headers.get('location') ?? ''
        expect(location, path).to.not.match(/evil|^\/\/|^https?:/)
      }
    })
  })
}
