import { setTimeout as wait } from 'node:timers/promises'
import type { ConsolePage } from './consolePage.ts'

const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases'

/** Requests of the administrator, and an address of the console in a page. */
export interface RowsServer {
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  at(page: ConsolePage, address: string, text: string): Promise<void>
}

export interface RowsRun {
  rows: number
  seconds: number
}

export interface RowsResult {
  /** Processor time of the longest task of the page's main thread, in milliseconds. */
  longestMs: number
  /** Growth of the page's memory during the changes, in bytes, after a collection of garbage. */
  grownBytes: number
  /** Rows that the page shows in the end, name and holder. */
  shown: readonly string[]
  /** The same from the server. */
  stored: readonly string[]
}

const name = (index: number) => `row-${String(index).padStart(5, '0')}`
const changesASecond = 100

/** Shows a table, changes, creates and deletes rows of it a hundred times a second, and scrolls meanwhile. */
export async function runManyRows(
  server: RowsServer,
  page: ConsolePage,
  { rows, seconds }: RowsRun,
): Promise<RowsResult> {
  for (let from = 0; from < rows; from += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, rows - from) }, (_, at) =>
        server.call('POST', path, { metadata: { name: name(from + at) } }),
      ),
    )
  await page.resize(1280, 1600)
  await server.at(page, '#/k/coordination.k8s.io/v1/leases', `${rows.toLocaleString('en')} in all`)
  await page.shows('Live')
  await page.evaluate(
    `window.scroller = setInterval(() => document.querySelector('.grid').scrollBy(0, 340), 100)`,
  )
  const before = await page.usedBytes()
  const longestMs = await page.longestTask(async () => {
    await change(server, { rows, seconds })
    await page.shows(`${(rows + 1).toLocaleString('en')} in all`)
  })
  await page.evaluate('clearInterval(window.scroller)')
  const grownBytes = (await page.usedBytes()) - before
  const stored = await storedRows(server)
  return { longestMs, grownBytes, stored, shown: await shownRows(page, stored.length) }
}

/** Mostly updates; each tenth change creates a row that the next tenth one deletes, and the last one stays. */
async function change(server: RowsServer, { rows, seconds }: RowsRun): Promise<void> {
  const begun = performance.now()
  let extra = rows
  for (let count = 0; count < seconds * changesASecond; count++) {
    if (count % 20 === 10) await server.call('POST', path, { metadata: { name: name(extra) } })
    else if (count % 20 === 0 && extra > rows - 1 && count > 0)
      await server.call('DELETE', `${path}/${name(extra++)}`)
    else
      await server.call('PATCH', `${path}/${name((count * 37) % rows)}`, {
        spec: { holderIdentity: `holder-${count}` },
      })
    const aheadMs = begun + (count * 1000) / changesASecond - performance.now()
    if (aheadMs > 0) await wait(aheadMs)
  }
}

interface Lease {
  metadata: { name: string }
  spec?: { holderIdentity?: string }
}

async function storedRows(server: RowsServer): Promise<string[]> {
  const { items } = await server.call<{ items: Lease[] }>('GET', path)
  return items.map(({ metadata, spec }) => `${metadata.name} ${spec?.holderIdentity ?? ''}`).sort()
}

/** All rows of the table in their order, by scrolling through it; a row that is there twice is listed twice. */
function shownRows(page: ConsolePage, count: number): Promise<string[]> {
  return page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const grid = document.querySelector('.grid')
    const found = new Map()
    // A column of namespaces is there only while all of them are shown.
    const heads = [...grid.querySelectorAll('thead th')].map((each) => each.innerText.trim())
    const [nameAt, holderAt] = [heads.indexOf('Name'), heads.indexOf('Holder')]
    if (nameAt < 0 || holderAt < 0) throw new Error('columns: ' + heads.join(', '))
    grid.scrollTo(0, 0)
    for (let step = 0; step < ${count}; step++) {
      await frame()
      await frame()
      for (const row of document.querySelectorAll('tr.row')) {
        const cells = [...row.querySelectorAll('td')].map((each) => each.innerText)
        found.set(Number(row.ariaRowIndex), cells[nameAt] + ' ' + cells[holderAt])
      }
      if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1) break
      grid.scrollBy(0, grid.clientHeight - 100)
    }
    return [...found].sort(([a], [b]) => a - b).map(([, text]) => text)
  })()`)
}
