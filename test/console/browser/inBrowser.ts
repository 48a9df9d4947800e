import { ConsoleBrowser } from './consoleBrowser.ts'
import { skip } from '../../support/skip.ts'

/**
 * Tests of topics that share a browser and a server; other files run in parallel processes with
 * separate ones.
 */
export function inBrowser(...suites: readonly ((opened: () => ConsoleBrowser) => void)[]): void {
  describe('Console in a browser', function () {
    this.timeout(120_000)
    let opened: ConsoleBrowser | undefined

    before(async function () {
      opened = await ConsoleBrowser.open()
      if (opened === undefined) skip(this, 'Chromium not found')
    })
    afterEach(() => opened?.closePages())
    after(() => opened?.close())

    for (const suite of suites)
      suite(() => {
        if (opened === undefined) throw new Error('the browser is not open')
        return opened
      })
  })
}
