import { medians, type Bench } from '../bench.ts'
import { fetchBody } from '../fetchBody.ts'
import type { Row } from '../row.ts'
import { createRequest, listRequest } from '../sample.ts'

const count = 10_000
const gzip = ['Accept-Encoding: gzip']

interface Case {
  id: string
  what: string
  selector: string
  headers: string[]
  raw: { mode: string; what: string }
  aim?: { ratio: number }
}

const cases: readonly Case[] = [
  {
    id: 'list',
    what: 'LIST of 10,000',
    selector: '',
    headers: [],
    raw: { mode: 'list', what: 'bare node:http, kept segments, honouring drain' },
    aim: { ratio: 0.6 },
  },
  {
    id: 'list-all-selected',
    what: 'LIST of 10,000, label selector that all match',
    selector: 'app=bench',
    headers: [],
    raw: { mode: 'copy', what: 'bare node:http, filter and copy per object' },
    aim: { ratio: 0.5 },
  },
  {
    id: 'list-1-percent',
    what: 'LIST of 10,000, label selector that 1 % match',
    selector: 'shard=s07',
    headers: [],
    raw: { mode: 'copy-1-percent', what: 'bare node:http, filter and copy per object' },
    aim: { ratio: 0.5 },
  },
  {
    id: 'list-gzip',
    what: 'LIST of 10,000, gzip',
    selector: '',
    headers: gzip,
    raw: { mode: 'gzip', what: 'bare node:http, a kept gzip body' },
  },
]

/** Rows for a caller that lists 10,000 objects of 1 KB. */
export async function listRows(bench: Bench): Promise<Row[]> {
  const { tool, options } = bench
  const server = await bench.startServer()
  const create = { connections: 64, count, request: createRequest(server, 'list'), status: 201 }
  await tool.http(server, create)
  const list = await fetchBody(server, listRequest(server))
  const rows: Row[] = []
  for (const { id, what, selector, headers, raw, aim } of cases) {
    const bare = await bench.startRaw(raw.mode, { list })
    const probes = [server, bare].map((target) => () => {
      const request = listRequest(target, selector, headers)
      const timing = { warm: 0.3, seconds: options.seconds }
      return tool.http(target, { connections: 1, ...timing, request, status: 200 })
    })
    const [ours = [], theirs = []] = await bench.inTurn(probes)
    await bare.stop()
    const [mine, limit] = [medians(ours), medians(theirs)]
    rows.push({
      id,
      what,
      ours: mine.perSecond,
      unit: '/s',
      raw: { value: limit.perSecond, what: raw.what },
      ...(aim === undefined ? {} : { aim }),
      detail: `p50 ${mine.p50Ms.toFixed(2)} p99 ${mine.p99Ms.toFixed(1)} ms, CPU ${(mine.cpuMicros / 1000).toFixed(1)} ms (bare p50 ${limit.p50Ms.toFixed(2)} ms)`,
    })
  }
  await server.stop()
  return rows
}
