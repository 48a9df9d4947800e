import { expect } from 'chai'
import { waitUntil } from '../../support/waitUntil.ts'
import type { ConsoleBrowser } from './consoleBrowser.ts'
import { defineWidgets } from './widgets.ts'
import { runManyRows } from './manyRows.ts'

const secrets = '/api/v1/namespaces/default/secrets'
const secret = (name: string, value = 'x') => ({
  metadata: { name, labels: { round: value } },
  stringData: { value },
})
const rows = `[...document.querySelectorAll('tr.row a')].map((each) => each.textContent)`

/** Live tables. */
export function liveSuite(opened: () => ConsoleBrowser): void {
  describe('Live tables', () => {
    let browser: ConsoleBrowser
    before(() => {
      browser = opened()
    })
    const inDefault = () => browser.signedIn(browser.server.adminAccessKey, 'default')

    it('show changes of another user with one watch, and count, search and select', async () => {
      for (const name of ['a-10', 'a-9', 'b-1'])
        await browser.call('POST', secrets, secret(name, name.slice(0, 1)))
      const page = await inDefault()
      await browser.at(page, '#/k/core/v1/secrets', '3 in all')
      expect(await page.evaluate(rows)).to.deep.equal(['a-9', 'a-10', 'b-1'])
      page.requests.length = 0
      await browser.call('POST', secrets, secret('c-1'))
      await page.shows('4 in all')
      await browser.call('DELETE', `${secrets}/b-1`)
      await page.shows('3 in all')
      for (let index = 0; index < 50; index++)
        await browser.call('PATCH', `${secrets}/c-1`, {
          metadata: { labels: { round: `${index}` } },
        })
      expect(page.requests).to.deep.equal([])
      await page.fill('.search input', 'a-1')
      await page.shows('1 of 3')
      await page.fill('.search input', 'round=a')
      await page.shows('2 in all')
      expect(await page.evaluate(rows)).to.deep.equal(['a-9', 'a-10'])
      await page.until(`location.hash.includes('q=round')`)
      await page.fill('.search input', 'field:type=Opaque c-')
      await page.shows('1 of 3')
      expect(page.complaints).to.deep.equal([])
    })

    it('are used by keys alone: rows, opening, selecting, deleting', async () => {
      const page = await inDefault()
      await browser.at(page, '#/k/core/v1/secrets', '3 in all')
      await page.evaluate(`document.querySelector('tr.row[tabindex="0"]').focus()`)
      await page.press('j')
      const active = `document.activeElement.querySelector?.('a')?.textContent`
      await page.until(`${active} === 'a-10'`)
      await page.press('x')
      await page.shows('1 selected')
      await page.press('d', 2)
      await page.shows('Delete 1 Secret?')
      await page.click('Delete')
      await page.shows('2 in all')
      await page.evaluate(`document.querySelector('tr.row[tabindex="0"]').focus()`)
      await page.press('G')
      await page.until(`${active} === 'c-1'`)
      await page.press('Enter')
      await page.until(`location.hash === '#/o/core/v1/secrets/default/c-1'`)
      await page.shows('Specification')
      await page.press('e')
      await page.shows('Review and save')
    })

    it('keep their rows while the server restarts, say so, and go on from the last revision', async () => {
      const page = await inDefault()
      await browser.at(page, '#/k/core/v1/secrets', '2 in all')
      await page.shows('Live')
      await browser.restart(async () => {
        await page.shows('Not up to date')
        expect(await page.evaluate(rows)).to.deep.equal(['a-9', 'c-1'])
        page.requests.length = 0
      })
      await browser.call('POST', secrets, secret('d-1'))
      // The button is visible only until the next attempt starts by itself.
      await page.evaluate(
        `[...document.querySelectorAll('button')].find((each) => each.innerText === 'Try now')?.click()`,
      )
      await page.shows('3 in all')
      await page.shows('Live')
      const lists = page.requests.filter(
        (url) => url.includes('limit=') && url.includes('/secrets'),
      )
      expect(lists).to.deep.equal([])
    })

    it('are watched once for all tabs, and by the next one when the first is closed', async () => {
      const path = '/api/v1/namespaces/default/configmaps'
      const first = await inDefault()
      await browser.at(first, '#/k/core/v1/configmaps', 'in all')
      await first.shows('Live')
      const second = await browser.page(first.context)
      await second.goTo(`${browser.server.url}/console/#/k/core/v1/configmaps`)
      await second.shows('Live')
      const ofTable = (url: string) => /\/configmaps\?.*(limit|watch)=/.test(url)
      expect(second.requests.filter(ofTable)).to.deep.equal([])
      await browser.call('POST', path, { metadata: { name: 'tab-1' } })
      for (const page of [first, second]) await page.shows('tab-1')
      expect(second.requests.filter(ofTable)).to.deep.equal([])
      await first.close()
      await browser.call('POST', path, { metadata: { name: 'tab-2' } })
      await second.shows('tab-2')
      const asked = second.requests.filter(ofTable)
      expect(asked.filter((url) => url.includes('limit='))).to.deep.equal([])
      expect(asked.length).to.equal(1)
      await browser.call('DELETE', `${path}/tab-1`)
      await second.lacks('tab-1')
      await browser.call('DELETE', `${path}/tab-2`)
    })

    it('show many rows with 100 changes a second without a long task, a lost row, or another row under the pointer', async () => {
      const page = await inDefault()
      const result = await runManyRows(browser, page, { rows: 1_500, seconds: 2 })
      expect(result.shown).to.deep.equal(result.stored)
      expect(result.longestMs).to.be.below(100)
      expect(result.pointedAt).to.have.lengthOf(1)
      await page.focus('tr.row[tabindex="0"]')
      await page.press('Home')
      await page.until(`document.activeElement.querySelector?.('a')?.textContent === 'row-00000'`)
      await browser.call('DELETE', '/apis/coordination.k8s.io/v1/namespaces/default/leases')
      await page.shows('There are no leases here yet')
    })

    it('of a kind that was added later are there after a reload, with its own columns', async () => {
      await defineWidgets(browser)
      const widgets = '/apis/example.dev/v1/namespaces/default/widgets'
      await waitUntil(() =>
        browser
          .call('POST', widgets, {
            apiVersion: 'example.dev/v1',
            kind: 'Widget',
            metadata: { name: 'w' },
            spec: { size: 7 },
          })
          .then(
            () => true,
            () => false,
          ),
      )
      const page = await inDefault()
      await browser.at(page, '#/k/example.dev/v1/widgets', '1 in all')
      const cells = `[...document.querySelectorAll('tr.row td')].map((each) => each.innerText)`
      expect((await page.evaluate<string[]>(cells)).slice(1, 3)).to.deep.equal(['w', '7'])
    })
  })
}
