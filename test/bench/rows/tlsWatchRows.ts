import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { residentBytes } from '../childProcess.ts'
import type { LoadResult, LoadTool } from '../loadTool.ts'
import { median, type Row } from '../row.ts'
import { revisionOf } from '../revisionOf.ts'
import { createRequest, watchRequest, type Address } from '../sample.ts'

const watchers = 1000
const steady = { writers: 16, writes: 300, rate: 100 }
const idleFirst = 100

type Target = Address & { pid: number }

/** Transport of watchers. */
interface Way {
  id: string
  name: string
  /** Number of HTTP/2 connections; absent: an HTTP/1.1 connection for each watcher. */
  connections?: number
  mostKilobytes: number
}

const ways: readonly Way[] = [
  { id: 'tls', name: 'a TLS connection each', mostKilobytes: 65 * 1.024 },
  { id: 'http2', name: '4 connections of HTTP/2', connections: 4, mostKilobytes: 20 * 1.024 },
]

/** Delivery to 1,000 watchers over TLS, as for external clients. */
export async function tlsWatchRows(bench: Bench): Promise<Row[]> {
  const { tlsTool: tool } = bench
  if (tool === undefined) {
    process.stderr.write('skipped: the load generator for TLS needs Go\n')
    return []
  }
  const rows: Row[] = []
  // Each transport has a separate server, so that memory left behind by one is not measured for the
  // other.
  for (const way of ways) rows.push(...(await rowsOf(bench, tool, way)))
  rows.push(await stormRow(bench, tool))
  return rows
}

/**
 * New TLS connections with a watch each, as when informers reconnect after a restart: until every
 * response has begun.
 */
async function stormRow(bench: Bench, tool: LoadTool): Promise<Row> {
  const folder = bench.newFolder()
  const plain = await bench.startServer(folder)
  const raw = await bench.startRaw('fanout-tls', certificateIn(folder))
  const storm = (target: Target) => async () => {
    const watch = watchRequest(target, '1')
    const began = performance.now()
    const end = await tool.holdWatches(target, { watchers, watch })
    const ms = performance.now() - began
    await end()
    return ms
  }
  const server = { ...plain, port: plain.securePort }
  await storm(server)()
  const [ours = [], bare = []] = await bench.inTurn([storm(server), storm(raw)])
  await Promise.all([plain.stop(), raw.stop()])
  return {
    id: 'tls-storm',
    what: `${watchers} new TLS connections with a watch each, until all have begun`,
    ours: median(ours),
    unit: 'ms',
    raw: { value: median(bare), what: 'bare node:http2 server with HTTP/1.1' },
    detail: `${(watchers / (median(ours) / 1000)).toFixed(0)} connections/s`,
  }
}

async function rowsOf(bench: Bench, tool: LoadTool, way: Way): Promise<Row[]> {
  const folder = bench.newFolder()
  const plain = await bench.startServer(folder)
  const raw = await bench.startRaw('fanout-tls', certificateIn(folder))
  const server = { ...plain, port: plain.securePort }
  let runs = 0
  const shared = way.connections === undefined ? {} : { connections: way.connections }
  const deliver = (target: Target, load: typeof steady) => async () => {
    const revision = target === server ? await revisionOf(plain) : '0'
    const [watch, request] = [watchRequest(target, revision), createRequest(target, `t${runs++}`)]
    const fixed = { watchers, watch, request, status: 201, start: 1 }
    return tool.watch(target, { ...load, ...shared, ...fixed })
  }
  // Measured before the deliveries, whose garbage would be counted for the watchers.
  const held = { tool, shared }
  const memory = [await bytesPerWatcher(held, server), await bytesPerWatcher(held, raw)] as const
  await deliver(server, { ...steady, writes: 50 })()
  const [ours = [], bare = []] = await bench.inTurn([deliver(server, steady), deliver(raw, steady)])
  await Promise.all([plain.stop(), raw.stop()])
  return [latencyRow(way, ours, bare), memoryRow(way, memory)]
}

/** Certificate of the server, so that both sides use the same encryption. */
function certificateIn(dataDir: string): Record<string, Buffer> {
  const read = (name: string) => readFileSync(join(dataDir, 'pki', name))
  return { cert: read('serving.crt'), key: read('serving.key') }
}

/** Watchers that warm up the server: the first requests of a process cost more. */
async function bytesPerWatcher(
  { tool, shared }: { tool: LoadTool; shared: { connections?: number } },
  target: Target,
): Promise<number> {
  const watch = watchRequest(target, '1')
  const first = await tool.holdWatches(target, { watchers: idleFirst, watch, ...shared })
  await first()
  const endFirst = await tool.holdWatches(target, { watchers: idleFirst, watch, ...shared })
  await pause(500)
  const before = residentBytes(target.pid)
  const end = await tool.holdWatches(target, { watchers, watch, ...shared })
  await pause(500)
  const after = residentBytes(target.pid)
  await Promise.all([endFirst(), end()])
  return (after - before) / watchers
}

function latencyRow(way: Way, ours: readonly LoadResult[], bare: readonly LoadResult[]): Row {
  const p99 = (results: readonly LoadResult[]) => median(results.map(({ p99Ms }) => p99Ms))
  const p50 = median(ours.map(({ p50Ms }) => p50Ms))
  const cpu = (results: readonly LoadResult[]) =>
    median(results.map(({ serverCpuSeconds, seconds }) => (serverCpuSeconds * 100) / seconds))
  const isWhole = ours.every(({ complete, closed }) => complete && closed === 0)
  return {
    id: `watch-${way.id}-p99`,
    what: `write → receipt, p99, ${watchers} watchers over ${way.name}, ${steady.rate} writes/s`,
    ours: p99(ours),
    unit: 'ms',
    raw: { value: p99(bare), what: 'bare node:http2 server with HTTP/1.1, fan-out every 5 ms' },
    aim: { most: 200 },
    detail: `p50 ${p50.toFixed(1)} ms, CPU ${cpu(ours).toFixed(0)} % (bare ${cpu(bare).toFixed(0)} %)`,
    ...(isWhole ? {} : { fault: 'not every event was delivered once to every watcher' }),
  }
}

function memoryRow({ id, name, mostKilobytes }: Way, [ours, bare]: readonly [number, number]): Row {
  return {
    id: `watch-${id}-memory`,
    what: `memory of an idle watcher over ${name} (RSS)`,
    ours: ours / 1000,
    unit: 'KB',
    raw: { value: bare / 1000, what: 'bare response held open' },
    aim: { most: mostKilobytes },
  }
}
