import { expect } from 'chai'
import { setTimeout as wait } from 'node:timers/promises'
import { waitUntil } from '../../support/waitUntil.ts'
import { ConsoleBrowser } from './consoleBrowser.ts'

const secrets = '/api/v1/namespaces/default/secrets'
const secret = (name: string, value = 'x') => ({
  metadata: { name, labels: { round: value } },
  stringData: { value },
})
const rows = `[...document.querySelectorAll('tr.row a')].map((each) => each.textContent)`

describe('Live tables of the console', function () {
  this.timeout(120_000)
  let browser: ConsoleBrowser

  before(async function () {
    const opened = await ConsoleBrowser.open()
    if (opened === undefined) return this.skip()
    browser = opened
  })
  after(() => browser?.close())

  it('show changes of another user with one watch, and count, search and select', async () => {
    for (const name of ['a-10', 'a-9', 'b-1'])
      await browser.call('POST', secrets, secret(name, name.slice(0, 1)))
    const page = await browser.signedIn()
    await browser.at(page, '#/k/core/v1/secrets', '3 in all')
    expect(await page.evaluate(rows)).to.deep.equal(['a-9', 'a-10', 'b-1'])
    page.requests.length = 0
    await browser.call('POST', secrets, secret('c-1'))
    await page.shows('4 in all')
    await browser.call('DELETE', `${secrets}/b-1`)
    await page.shows('3 in all')
    for (let index = 0; index < 50; index++)
      await browser.call('PATCH', `${secrets}/c-1`, { metadata: { labels: { round: `${index}` } } })
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
    const page = await browser.signedIn()
    await browser.at(page, '#/k/core/v1/secrets', '3 in all')
    await page.evaluate(`document.querySelector('tr.row[tabindex="0"]').focus()`)
    await page.press('j')
    const active = `document.activeElement.querySelector?.('a')?.textContent`
    await page.until(`${active} === 'a-10'`)
    await page.press('x')
    await page.shows('1 selected')
    await page.press('d', 2)
    await page.shows('Delete 1 secrets?')
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
    const page = await browser.signedIn()
    await browser.at(page, '#/k/core/v1/secrets', '2 in all')
    await page.shows('Live')
    await browser.restart(async () => {
      await page.shows('Not up to date')
      expect(await page.evaluate(rows)).to.deep.equal(['a-9', 'c-1'])
      page.requests.length = 0
    })
    await browser.call('POST', secrets, secret('d-1'))
    await page.click('Try now').catch(() => undefined)
    await page.shows('3 in all')
    await page.shows('Live')
    const lists = page.requests.filter((url) => url.includes('limit=') && url.includes('/secrets'))
    expect(lists).to.deep.equal([])
  })

  it('show 10,000 rows with 100 changes a second without a long frame or a lost row', async function () {
    const path = '/api/v1/namespaces/default/configmaps'
    const many = 10_000
    for (let from = 0; from < many; from += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, at) => {
          const name = `row-${String(from + at).padStart(5, '0')}`
          return browser.call('POST', path, { metadata: { name } })
        }),
      )
    const page = await browser.signedIn()
    await browser.at(page, '#/k/core/v1/configmaps', '10,0')
    await page.shows('Live')
    expect(await page.evaluate<number>(`document.querySelectorAll('tr.row').length`)).to.be.below(
      80,
    )
    const scroll = `window.scroller =
      setInterval(() => document.querySelector('.grid').scrollBy(0, 340), 100)`
    await page.evaluate(scroll)
    const longest = await page.longestTask(async () => {
      const begun = performance.now()
      for (let change = 0; change < 800; change++) {
        const name = `row-${String((change * 37) % many).padStart(5, '0')}`
        await browser.call('PATCH', `${path}/${name}`, { data: { change: String(change) } })
        const aheadMs = begun + change * 10 - performance.now()
        if (aheadMs > 0) await wait(aheadMs)
      }
      await browser.call('POST', path, { metadata: { name: 'row-99999' } })
      const all = await browser.call<{ items: unknown[] }>('GET', '/api/v1/configmaps')
      await page.shows(`${all.items.length.toLocaleString('en')} in all`)
    })
    await page.evaluate('clearInterval(window.scroller)')
    process.stdout.write(`      longest task ${longest.toFixed(0)} ms\n`)
    expect(longest).to.be.below(100)
    await page.focus('tr.row[tabindex="0"]')
    await page.press('End')
    await page.until(`document.activeElement.querySelector?.('a')?.textContent === 'row-99999'`)
  })

  it('of a kind that was added later are there after a reload, with its own columns', async () => {
    await browser.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'widgets.example.dev' },
      spec: {
        group: 'example.dev',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: { type: 'object', properties: { size: { type: 'integer' } } },
                },
              },
            },
          },
        ],
      },
    })
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
    const page = await browser.signedIn()
    await browser.at(page, '#/k/example.dev/v1/widgets', '1 in all')
    const cells = `[...document.querySelectorAll('tr.row td')].map((each) => each.innerText)`
    expect((await page.evaluate<string[]>(cells)).slice(1, 4)).to.deep.equal(['w', 'default', '7'])
  })
})
