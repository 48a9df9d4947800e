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
  /** Changes per second of the run that the server confirmed. */
  rate: number
  /** Processor time of the longest task of the page's main thread, in milliseconds. */
  longestMs: number
  /**
   * Longest time between two frames, in milliseconds; other programs of the machine are counted,
   * too.
   */
  longestFrameMs: number
  /** Names of the rows under the resting pointer, in order. */
  pointedAt: readonly string[]
  /** Growth of the page's memory during the changes, in bytes, after a garbage collection. */
  grownBytes: number
  /** Rows that the page shows in the end: name and holder. */
  shown: readonly string[]
  /** Rows in the end according to the server. */
  stored: readonly string[]
  /** Duration of each part of the run, in seconds. */
  took: Readonly<Record<string, number>>
}

const name = (index: number) => `row-${String(index).padStart(5, '0')}`
const changesASecond = 100
/** Name of a row that is created and deleted, which places it between others. */
const extraName = (index: number, rows: number) => `${name((index * 61) % rows)}-${index}`

/**
 * Shows a table, and changes, creates and deletes its rows a hundred times per second. During the
 * first half the page scrolls, during the second half the pointer rests on a row.
 */
export async function runManyRows(
  server: RowsServer,
  page: ConsolePage,
  run: RowsRun,
): Promise<RowsResult> {
  const took: Record<string, number> = {}
  const timed = async <T>(part: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now()
    const done = await work()
    took[part] = Math.round((performance.now() - begun) / 100) / 10
    return done
  }
  await timed('creating', () => create(server, run))
  await timed('opening', () => open(server, page, run))
  const before = await page.usedBytes()
  let rate = 0
  const longestMs = await timed('changing', () =>
    page.longestTask(async () => {
      rate = await change(server, run, () => rest(page))
      await page.shows(`${(run.rows + 1).toLocaleString('en')} in all`)
    }),
  )
  const watched = await page.evaluate<{ longestFrameMs: number; pointedAt: string[] }>(
    'window.watched.end()',
  )
  await movePointer(page, { x: 2, y: 2 })
  const grownBytes = (await page.usedBytes()) - before
  const stored = await storedRows(server)
  const shown = await timed('comparing', () => shownRows(page, stored.length))
  return { rate, longestMs, ...watched, grownBytes, stored, shown, took }
}

async function create(server: RowsServer, { rows }: RowsRun): Promise<void> {
  for (let from = 0; from < rows; from += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, rows - from) }, (_, at) =>
        server.call('POST', path, { metadata: { name: name(from + at) } }),
      ),
    )
}

/** Opens the table, and observes its frames and the row under the pointer. */
async function open(server: RowsServer, page: ConsolePage, { rows }: RowsRun): Promise<void> {
  await page.resize(1280, 1600)
  await server.at(page, '#/k/coordination.k8s.io/v1/leases', `${rows.toLocaleString('en')} in all`)
  await page.shows('Live')
  await page.evaluate(`(() => {
    const scroller = setInterval(() => document.querySelector('.grid').scrollBy(0, 340), 100)
    const pointedAt = []
    let [place, last, longestFrameMs, isOver] = [undefined, performance.now(), 0, false]
    const frame = (now) => {
      longestFrameMs = Math.max(longestFrameMs, now - last)
      last = now
      if (place !== undefined) {
        const name = document.elementFromPoint(place.x, place.y)?.closest('tr.row')
          ?.querySelector('a')?.textContent ?? 'no row'
        if (name !== pointedAt.at(-1)) pointedAt.push(name)
      }
      if (!isOver) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    window.watched = {
      stopScrolling: () => clearInterval(scroller),
      restAt: (x, y) => { place = { x, y } },
      end: () => { isOver = true; return { longestFrameMs, pointedAt } },
    }
  })()`)
}

/** Moves the pointer to a row that is not deleted during the run. */
async function rest(page: ConsolePage): Promise<void> {
  await page.evaluate('window.watched.stopScrolling()')
  const place = await page.evaluate<{ x: number; y: number }>(`(() => {
    const { top, height } = document.querySelector('.grid').getBoundingClientRect()
    const [row] = [...document.querySelectorAll('tr.row')].filter((each) =>
      each.getBoundingClientRect().top > top + height / 2 &&
      /^row-\\d+$/.test(each.querySelector('a').textContent))
    const found = row.getBoundingClientRect()
    return { x: found.x + 300, y: found.y + found.height / 2 }
  })()`)
  await movePointer(page, place)
  await page.evaluate(`window.watched.restAt(${place.x}, ${place.y})`)
}

async function movePointer(page: ConsolePage, place: { x: number; y: number }): Promise<void> {
  await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...place })
}

/**
 * Sends mostly updates; each tenth change creates a row, which the next tenth change deletes,
 * except for the last one. Changes are sent on time, whether or not earlier ones are done. @returns
 * confirmed changes per second.
 */
async function change(
  server: RowsServer,
  { rows, seconds }: RowsRun,
  atHalf: () => Promise<void>,
): Promise<number> {
  const begun = performance.now()
  const count = seconds * changesASecond
  const sent: Promise<unknown>[] = []
  let created: Promise<unknown> = Promise.resolve()
  let extra = 0
  for (let index = 0; index < count; index++) {
    if (index === count / 2) sent.push(atHalf())
    if (index % 20 === 10) {
      created = server.call('POST', path, { metadata: { name: extraName(extra, rows) } })
      sent.push(created)
    } else if (index % 20 === 0 && index > 0) {
      const gone = extraName(extra++, rows)
      sent.push(created.then(() => server.call('DELETE', `${path}/${gone}`)))
    } else {
      const spec = { holderIdentity: `holder-${index}` }
      sent.push(server.call('PATCH', `${path}/${name((index * 37) % rows)}`, { spec }))
    }
    const aheadMs = begun + ((index + 1) * 1000) / changesASecond - performance.now()
    if (aheadMs > 0) await wait(aheadMs)
  }
  await Promise.all(sent)
  return (count * 1000) / (performance.now() - begun)
}

interface Lease {
  metadata: { name: string }
  spec?: { holderIdentity?: string }
}

async function storedRows(server: RowsServer): Promise<string[]> {
  const { items } = await server.call<{ items: Lease[] }>('GET', path)
  return items.map(({ metadata, spec }) => `${metadata.name} ${spec?.holderIdentity ?? ''}`).sort()
}

/** All rows of the table in order, collected by scrolling; a repeated row is listed twice. */
function shownRows(page: ConsolePage, count: number): Promise<string[]> {
  return page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const grid = document.querySelector('.grid')
    const found = new Map()
    // A namespace column exists only if all namespaces are shown.
    const heads = [...grid.querySelectorAll('thead th')].map((each) => each.innerText.trim())
    const [nameAt, holderAt] = [heads.indexOf('Name'), heads.indexOf('Holder')]
    if (nameAt < 0 || holderAt < 0) throw new Error('columns: ' + heads.join(', '))
    grid.scrollTo(0, 0)
    for (let step = 0; step < ${count}; step++) {
      await frame()
      await frame()
      for (const row of document.querySelectorAll('tr.row')) {
        const cells = [...row.querySelectorAll('td')].map((each) => each.textContent)
        found.set(Number(row.ariaRowIndex), cells[nameAt] + ' ' + cells[holderAt])
      }
      if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1) break
      grid.scrollBy(0, grid.clientHeight - 100)
    }
    return [...found].sort(([a], [b]) => a - b).map(([, text]) => text)
  })()`)
}
