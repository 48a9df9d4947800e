import type { Context } from 'mocha'

/** Lists each test that did not pass at its first attempt, so that `--retries` hides nothing. */
export const mochaHooks = {
  afterEach(this: Context): void {
    const test = this.currentTest
    if (test === undefined) return
    // Protected only in the types.
    const currentRetry = Reflect.get(test, 'currentRetry') as () => number
    const tries = currentRetry.call(test)
    if (tries > 0) process.stdout.write(`    try ${tries + 1} of: ${test.fullTitle()}\n`)
  },
}
