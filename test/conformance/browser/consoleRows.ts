import { expect } from 'chai'
import { ConsolePage } from '../../console/browser/consolePage.ts'
import { runManyRows, type RowsResult, type RowsServer } from '../../console/browser/manyRows.ts'
import { client, missingClient, type Client } from '../support/scenario.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'
import { chromiumProgram, DevTools } from './devTools.ts'

interface Context {
  server: ServerProcess
  tools: DevTools
}

const rows = 10_000
const seconds = 60
const maxSeconds = 900
/**
 * Memory per row and change: the page may keep data for each row that it has shown, but none for
 * each change.
 */
const maxGrownBytes = 24 * 1024 * 1024

/** The console of the built server with a long table that changes for a minute. */
export function consoleRowsClient(around: Surroundings): Client {
  const name = 'console'
  const program = chromiumProgram()
  if (program === undefined) return missingClient(name, 'no chromium on PATH')
  return client<Context>({
    name,
    scenarios: [
      {
        name: `${rows} rows with 100 changes a second for ${seconds} s: no row lost or doubled, memory steady, no frame over 100 ms`,
        run: async ({ server, tools }) => {
          const { token } = server.credentials()
          const page = await signedIn(await ConsolePage.open(tools), server.urls.secure, token)
          const result = await runManyRows(requestsOf(server, token), page, { rows, seconds })
          process.stdout.write(`    ${summary(result)}\n`)
          const { longestMs, grownBytes, rate, pointedAt, shown, stored } = result
          expect(shown).to.deep.equal(stored)
          expect(rate, 'changes a second').to.be.above(95)
          expect(pointedAt, 'rows under the resting pointer').to.have.lengthOf(1)
          expect(longestMs).to.be.below(100)
          expect(grownBytes).to.be.below(maxGrownBytes)
          expect(page.complaints).to.deep.equal([])
        },
      },
    ],
    open: async () => {
      const server = new ServerProcess(around, name)
      await server.start()
      return { server, tools: await DevTools.start(around.workspace, program, maxSeconds) }
    },
    close: async ({ server, tools }) => {
      await tools.close()
      await server.stop()
    },
  })
}

function summary({ rate, longestMs, longestFrameMs, grownBytes, took }: RowsResult): string {
  const parts = Object.entries(took).map(([part, seconds]) => `${part} ${seconds} s`)
  return [
    `${rate.toFixed(1)} changes a second`,
    `longest task ${longestMs.toFixed(0)} ms`,
    `longest frame ${longestFrameMs.toFixed(0)} ms`,
    `memory grew by ${(grownBytes / 1024 / 1024).toFixed(1)} MiB`,
    ...parts,
  ].join(', ')
}

/** Signs in with an access key. */
export async function signedIn(page: ConsolePage, url: string, key: string): Promise<ConsolePage> {
  await page.goTo(`${url}/console/`)
  // Without passwords, the page only has a field for a key.
  await page.until(`document.querySelector('#key, #username')`)
  if (await page.evaluate<boolean>(`document.querySelector('#key') === null`))
    await page.click('Use an access key')
  await page.fill('#key', key)
  await page.press('Enter')
  await page.shows('Overview')
  return page
}

function requestsOf(server: ServerProcess, token: string): RowsServer {
  return {
    call: async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      const response = await fetch(`${server.urls.insecure}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
      // The caller knows the type at the path.
      return (await response.json()) as T
    },
    at: async (page, address, text) => {
      await page.goTo(`${server.urls.secure}/console/${address}`)
      await page.shows(text)
    },
  }
}
