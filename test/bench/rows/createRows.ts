import { medians, type Bench, type RawServer } from '../bench.ts'
import type { ApiServer } from '../apiServer.ts'
import { fetchBody } from '../fetchBody.ts'
import type { LoadResult } from '../loadTool.ts'
import { median, type Row } from '../row.ts'
import { createRequest, getRequest } from '../sample.ts'

const callerCounts = [1, 16, 64, 256]

/** Durable creates with several numbers of callers. */
export async function createRows(bench: Bench): Promise<Row[]> {
  const [server, raw] = [await bench.startServer(), await bench.startRaw('create')]
  const creates = new Creates(bench, server, raw)
  await creates.warmUp()
  const rows: Row[] = []
  for (const callers of callerCounts) {
    rows.push(callers === 1 ? await creates.oneCaller() : await creates.manyCallers(callers))
  }
  await Promise.all([server.stop(), raw.stop()])
  return rows
}

class Creates {
  readonly #bench: Bench
  readonly #server: ApiServer
  readonly #raw: RawServer
  #runs = 0

  constructor(bench: Bench, server: ApiServer, raw: RawServer) {
    this.#bench = bench
    this.#server = server
    this.#raw = raw
  }

  async warmUp(): Promise<void> {
    for (const target of [this.#server, this.#raw]) {
      const request = createRequest(target, 'warm')
      const load = { connections: 16, count: 4000, request, status: 201 }
      await this.#bench.tool.http(target, load)
    }
  }

  async oneCaller(): Promise<Row> {
    const object = await fetchBody(this.#server, getRequest(this.#server, 'warm'))
    const put = () => this.#bench.storageProbeOf('put', object)
    const [ours = [], bare = []] = await this.#bench.inTurn<LoadResult | number>([
      () => this.#run(this.#server, 1),
      put,
    ])
    const results = ours.filter((result) => typeof result !== 'number')
    const rates = bare.filter((result) => typeof result === 'number')
    return this.#row(1, results, {
      raw: { value: median(rates), what: 'bare classic-level put, synced, of the same value' },
      aim: { ratio: 0.3 },
    })
  }

  async manyCallers(callers: number): Promise<Row> {
    const [ours = [], bare = []] = await this.#bench.inTurn([
      () => this.#run(this.#server, callers),
      () => this.#run(this.#raw, callers),
    ])
    return this.#row(callers, ours, {
      raw: { value: medians(bare).perSecond, what: 'bare node:http create without storage' },
      ...(callers === 64 ? { aim: { ratio: 0.5 } } : {}),
    })
  }

  #run(target: ApiServer | RawServer, callers: number): Promise<LoadResult> {
    return this.#bench.tool.http(target, {
      connections: callers,
      seconds: this.#bench.options.seconds,
      warm: 0.2,
      request: createRequest(target, `run-${this.#runs++}`),
      status: 201,
    })
  }

  #row(callers: number, results: readonly LoadResult[], compared: Pick<Row, 'raw' | 'aim'>): Row {
    const { perSecond, p50Ms, p99Ms, cpuMicros } = medians(results)
    return {
      id: `create-${callers}`,
      what: `durable creates, ${callers} ${callers === 1 ? 'caller' : 'callers'}`,
      ours: perSecond,
      unit: '/s',
      ...compared,
      detail: `p50 ${p50Ms.toFixed(2)} p99 ${p99Ms.toFixed(1)} ms, CPU ${cpuMicros.toFixed(0)} µs`,
    }
  }
}
