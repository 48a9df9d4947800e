import type { Bench } from '../bench.ts'
import { PagedList } from '../pagedList.ts'
import { median, type Row } from '../row.ts'
import { collection, createRequest } from '../sample.ts'

const count = 10_000
const pageSize = 500
/** Number of requests of each kind in a round. */
const times = 10

/**
 * Paged list compared with the same list in one response, to the same client: the cost of a page is
 * that of its objects, even if its revision is no longer the newest.
 */
export async function pageRows(bench: Bench): Promise<Row[]> {
  const { tool } = bench
  const server = await bench.startServer()
  const create = { connections: 64, request: createRequest(server, 'page'), status: 201 }
  await tool.http(server, { ...create, count })
  let written = count
  const write = async () => {
    await tool.http(server, { ...create, connections: 1, count: 1, start: written++ })
  }
  const client = new PagedList(server, collection)
  const whole = () => repeated(() => client.walk(0))
  const paged = () => repeated(() => client.walk(pageSize))
  const amidWrites = () => repeated(() => client.walk(pageSize, write), 1)
  await whole()
  await paged()
  const [wholes = [], pages = [], others = []] = await bench.inTurn([whole, paged, amidWrites])
  client.close()
  await server.stop()
  const list = median(wholes)
  return [
    row('list-pages', 'whole walk', { list, walk: median(pages) }),
    row('list-pages-written', 'whole walk, a write before each page', {
      list,
      walk: median(others),
    }),
  ]
}

async function repeated(probe: () => Promise<number>, rounds = times): Promise<number> {
  const results: number[] = []
  for (let time = 0; time < rounds; time++) results.push(await probe())
  return median(results)
}

function row(id: string, what: string, { list, walk }: { list: number; walk: number }): Row {
  return {
    id,
    what: `LIST of ${count} in pages of ${pageSize}, ${what}: of the time of one answer`,
    ours: walk / list,
    unit: '×',
    aim: { most: 2 },
    detail: `p50 ${walk.toFixed(2)} ms, one answer ${list.toFixed(2)} ms`,
  }
}
