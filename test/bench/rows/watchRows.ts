import { setTimeout as pause } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { residentBytes } from '../childProcess.ts'
import { fetchBody } from '../fetchBody.ts'
import type { LoadResult } from '../loadTool.ts'
import { median, type Row } from '../row.ts'
import { revisionOf } from '../revisionOf.ts'
import { createRequest, metricsRequest, watchRequest, type Address } from '../sample.ts'

const watchers = 1000
const steady = { writers: 16, writes: 300, rate: 100 }
const burst = { writers: 64, writes: 2000, rate: 0 }
const idleFirst = 100

type Target = Address & { pid: number }

/** Delivery to 1,000 watchers with one connection each. */
export async function watchRows(bench: Bench): Promise<Row[]> {
  const [server, raw] = [await bench.startServer(), await bench.startRaw('fanout')]
  let runs = 0
  const deliver = (target: Target, load: typeof steady) => async () => {
    const revision = target === server ? await revisionOf(server) : '0'
    const [watch, request] = [watchRequest(target, revision), createRequest(target, `w${runs++}`)]
    return bench.tool.watch(target, { ...load, watchers, watch, request, status: 201, start: 1 })
  }
  // Warm up first: the first requests of a process cost more.
  await deliver(server, { ...steady, writes: 50 })()
  const memory = [
    await bytesPerWatcher(bench, server, await revisionOf(server)),
    await bytesPerWatcher(bench, raw, '0'),
  ] as const
  const slowBefore = await slowCommits(server)
  const [paced = [], barePaced = []] = await bench.inTurn([
    deliver(server, steady),
    deliver(raw, steady),
  ])
  const slow = (await slowCommits(server)) - slowBefore
  const [fast = [], bareFast = []] = await bench.inTurn([
    deliver(server, burst),
    deliver(raw, burst),
  ])
  await Promise.all([server.stop(), raw.stop()])
  return [
    latencyRow(paced, barePaced, slow),
    burstRow(fast, bareFast),
    {
      id: 'watch-memory',
      what: 'memory of an idle watcher (RSS)',
      ours: memory[0] / 1000,
      unit: 'KB',
      raw: { value: memory[1] / 1000, what: 'bare node:http response held open' },
      aim: { most: 30 },
    },
  ]
}

/** Memory of a watch that starts at the current revision and receives no events. */
async function bytesPerWatcher({ tool }: Bench, target: Target, revision: string): Promise<number> {
  const watch = watchRequest(target, revision)
  const endFirst = await tool.holdWatches(target, { watchers: idleFirst, watch })
  await pause(500)
  const before = residentBytes(target.pid)
  const end = await tool.holdWatches(target, { watchers, watch })
  await pause(500)
  const after = residentBytes(target.pid)
  await Promise.all([endFirst(), end()])
  return (after - before) / watchers
}

/**
 * Number of commits so far that took more than 25 ms: a delay of a tenth of a second affects ten
 * events.
 */
async function slowCommits(server: Target): Promise<number> {
  const text = (await fetchBody(server, metricsRequest(server))).toString()
  const bucket = (le: string) => {
    const sample = new RegExp(
      `^etcd_request_duration_seconds_bucket\\{.*le="${le}".*\\} (\\d+)$`,
      'm',
    )
    return Number(sample.exec(text)?.[1])
  }
  return bucket('\\+Inf') - bucket('0\\.025')
}

function latencyRow(ours: readonly LoadResult[], bare: readonly LoadResult[], slow: number): Row {
  const p99 = (results: readonly LoadResult[]) => median(results.map(({ p99Ms }) => p99Ms))
  const p50 = median(ours.map(({ p50Ms }) => p50Ms))
  const best = Math.min(...ours.map(({ p99Ms }) => p99Ms))
  const rate = median(ours.map(eventRate))
  const cpu = median(ours.map(({ serverCpuSeconds, seconds }) => serverCpuSeconds / seconds))
  return {
    id: 'watch-p99',
    what: `write → receipt, p99, ${watchers} watchers, ${steady.rate} writes/s`,
    ours: p99(ours),
    unit: 'ms',
    raw: { value: p99(bare), what: 'bare node:http fan-out every 5 ms' },
    aim: { most: 25 },
    detail:
      `p50 ${p50.toFixed(1)} ms, best p99 ${best.toFixed(1)} ms, ${Math.round(rate)} events/s, ` +
      `CPU ${(cpu * 100).toFixed(0)} %; in ${ours.length} rounds the disk took more than 25 ms ${slow} times`,
    ...fault(ours),
  }
}

function burstRow(ours: readonly LoadResult[], bare: readonly LoadResult[]): Row {
  const p99 = median(ours.map(({ p99Ms }) => p99Ms))
  return {
    id: 'watch-burst',
    what: `burst of ${burst.writes} writes to ${watchers} watchers, deliveries`,
    ours: median(ours.map(eventRate)),
    unit: '/s',
    raw: {
      value: median(bare.map(eventRate)),
      what: 'bare node:http, one shared buffer every 5 ms',
    },
    aim: { ratio: 0.4 },
    detail: `p99 ${p99.toFixed(0)} ms`,
    ...fault(ours),
  }
}

function eventRate({ events, seconds }: LoadResult): number {
  return events / seconds
}

function fault(results: readonly LoadResult[]): Pick<Row, 'fault'> {
  if (results.every(({ complete, closed }) => complete && closed === 0)) return {}
  return { fault: 'not every event was delivered once to every watcher' }
}
