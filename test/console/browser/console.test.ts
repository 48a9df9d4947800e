import { ConsoleBrowser } from './consoleBrowser.ts'
import { hostileSuite } from './hostileSuite.ts'
import { keyboardSuite } from './keyboardSuite.ts'
import { liveSuite } from './liveSuite.ts'
import { pagesSuite } from './pagesSuite.ts'
import { sessionsSuite } from './sessionsSuite.ts'

/** Starting a browser and building the console take seconds, so that all suites share them. */
describe('Console in a browser', function () {
  this.timeout(120_000)
  let opened: ConsoleBrowser | undefined

  before(async function () {
    opened = await ConsoleBrowser.open()
    if (opened === undefined) this.skip()
  })
  afterEach(() => opened?.closePages())
  after(() => opened?.close())

  const browser = (): ConsoleBrowser => {
    if (opened === undefined) throw new Error('the browser is not open')
    return opened
  }
  liveSuite(browser)
  pagesSuite(browser)
  keyboardSuite(browser)
  sessionsSuite(browser)
  hostileSuite(browser)
})
