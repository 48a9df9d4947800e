import { medians, type Bench } from '../bench.ts'
import type { Row } from '../row.ts'
import { createRequest, getRequest, type Address } from '../sample.ts'
import { fetchBody } from '../fetchBody.ts'

const connections = 64

/** GET of one object of 1 KB. */
export async function getRows(bench: Bench): Promise<Row[]> {
  const { tool, options } = bench
  const server = await bench.startServer()
  const create = { connections: 1, count: 1, request: createRequest(server, 'get'), status: 201 }
  await tool.http(server, create)
  const object = await fetchBody(server, getRequest(server, 'get'))
  const raw = await bench.startRaw('get', { object })
  const probe = (target: Address & { pid: number }) => () =>
    tool.http(target, {
      connections,
      seconds: options.seconds,
      warm: 0.4,
      request: getRequest(target, 'get'),
      status: 200,
    })
  const [ours = [], bare = []] = await bench.inTurn([probe(server), probe(raw)])
  await Promise.all([server.stop(), raw.stop()])
  const [mine, limit] = [medians(ours), medians(bare)]
  return [
    {
      id: 'get',
      what: `GET of ${object.length} bytes, ${connections} connections`,
      ours: mine.perSecond,
      unit: '/s',
      raw: { value: limit.perSecond, what: 'bare node:http, pre-encoded' },
      aim: { ratio: 0.35 },
      detail: `p50 ${mine.p50Ms.toFixed(1)} p99 ${mine.p99Ms.toFixed(1)} ms, CPU ${mine.cpuMicros.toFixed(0)} µs (bare ${limit.cpuMicros.toFixed(0)})`,
    },
  ]
}
