import { expect } from 'chai'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deadline } from '../../support/deadlines.ts'
import type { ConsoleBrowser } from './consoleBrowser.ts'
import type { ConsolePage } from './consolePage.ts'

/**
 * Simulated connection of 4 Mbit/s with a round trip of 60 ms, and a processor at half of its
 * speed.
 */
const slow = {
  offline: false,
  latency: 60,
  downloadThroughput: (4 * 1024 * 1024) / 8,
  uploadThroughput: (1024 * 1024) / 8,
}
const slowdown = 2
/** Budget of the first page: the page, its files, and then its data. */
const budget = { kilobytes: 200, roundTrips: 3, paintedMs: 2_000 }

interface Arrival {
  kilobytes: number
  /** Requests that had to wait for the response to another one. */
  roundTrips: number
  paintedMs: number
}

/** First loads: from far away, and through a proxy with a path prefix. */
export function arrivalSuite(opened: () => ConsoleBrowser): void {
  describe('Arriving', () => {
    let browser: ConsoleBrowser
    before(() => {
      browser = opened()
    })

    it('over a slow connection takes few bytes and few round trips', async () => {
      const page = await browser.page()
      await page.send('Network.emulateNetworkConditions', slow)
      await page.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      const { kilobytes, roundTrips, paintedMs } = await arrive(browser.server.url, page)
      expect(kilobytes).to.be.below(budget.kilobytes)
      expect(roundTrips).to.be.at.most(budget.roundTrips)
      expect(paintedMs).to.be.above(slow.latency).and.below(deadline(budget.paintedMs))
    })

    it('a second time loads only what may have changed', async () => {
      const page = await browser.page()
      // Over HTTPS, browsers cache nothing from servers with an untrusted certificate.
      const url = browser.server.insecureUrl ?? ''
      const first = await arrive(url, page)
      const second = await arrive(url, page)
      expect(first.kilobytes).to.be.above(100)
      expect(second.kilobytes).to.be.below(10)
    })

    it('through a proxy with a path prefix: sign-in, live tables, changes and links stay below it', async () => {
      const proxy = await prefixProxy('/tools/platform', browser.server.insecureUrl ?? '')
      try {
        const page = await browser.page()
        await page.goTo(`${proxy.url}/tools/platform/`)
        await page.shows('Password')
        expect(await page.evaluate('location.pathname')).to.equal('/tools/platform/console/')
        await page.click('Use an access key')
        await page.fill('#key', browser.server.adminAccessKey)
        await page.press('Enter')
        await page.shows('Overview')
        await page.evaluate(`location.hash = '#/k/core/v1/configmaps'`)
        await page.shows('Live')
        await browser.call('POST', '/api/v1/namespaces/default/configmaps', {
          metadata: { name: 'through-the-proxy' },
        })
        await page.shows('through-the-proxy')
        await page.evaluate(`location.hash = '#/docs'`)
        await page.shows('operations')
        await page.evaluate(`location.hash = '#/keys'`)
        await page.shows('New key')
        const outside = page.requests.filter(
          (each) => !new URL(each.split(' ')[1] ?? '').pathname.startsWith('/tools/platform/'),
        )
        expect(outside).to.deep.equal([])
        expect(proxy.outside).to.deep.equal([])
        expect(page.complaints).to.deep.equal([])
      } finally {
        proxy.server.closeAllConnections()
        proxy.server.close()
      }
    })
  })
}

async function arrive(url: string, page: ConsolePage): Promise<Arrival> {
  await page.goTo('about:blank')
  await page.goTo(`${url}/console/`)
  await page.shows('Password')
  // Content of the document may not have been painted yet.
  await page.until(`performance.getEntriesByName('first-contentful-paint').length > 0`)
  return page.evaluate<Arrival>(`(() => {
    const all = [performance.getEntriesByType('navigation')[0], ...performance.getEntriesByType('resource')]
    const begun = all.map(({ requestStart, responseEnd }) => [requestStart, responseEnd])
      .sort(([a], [b]) => a - b)
    let [roundTrips, until] = [0, -1]
    for (const [start, end] of begun)
      if (start >= until) { roundTrips += 1; until = end }
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    return {
      kilobytes: Math.round(all.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000),
      roundTrips,
      paintedMs: Math.round(paint?.startTime ?? 0),
    }
  })()`)
}

interface PrefixProxy {
  server: Server
  url: string
  /** Paths requested outside of the prefix. */
  outside: string[]
}

/** Reverse proxy that passes on requests below a prefix, without the prefix. */
async function prefixProxy(prefix: string, target: string): Promise<PrefixProxy> {
  const outside: string[] = []
  const server = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming
    if (!url.startsWith(`${prefix}/`)) {
      outside.push(url)
      return void outgoing.writeHead(404).end()
    }
    const passed = request(target + url.slice(prefix.length), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers).flushHeaders()
      response.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Sound: a server that listens on TCP has an address and a port.
  const { port } = server.address() as AddressInfo
  return { server, url: `http://127.0.0.1:${port}`, outside }
}
