import { setTimeout as pause } from 'node:timers/promises'
import { findEtcd } from '../../support/etcd/etcdServer.ts'
import { TcpBalancer } from '../../support/etcd/tcpBalancer.ts'
import type { ApiServer } from '../apiServer.ts'
import type { Bench } from '../bench.ts'
import { cpuSeconds, residentBytes } from '../childProcess.ts'
import { startEtcd } from '../etcd.ts'
import type { LoadResult } from '../loadTool.ts'
import { revisionOf } from '../revisionOf.ts'
import { median, type Row } from '../row.ts'
import { createRequest, watchRequest } from '../sample.ts'

const mostReplicas = 3
const load = { watchers: 900, writers: 16, start: 1, status: 201 }
/** Writes per second; 0: as fast as possible. */
const ways = [
  { id: 'watches', name: 'writes', rate: 20, writes: 120, aim: { least: 2.5 } },
  // A server that falls behind sends several events at once, which costs less than one at a time.
  { id: 'burst', name: 'writes at once', rate: 0, writes: 300 },
] as const
type Way = (typeof ways)[number]
const settleMs = 3_000
const idleMs = 10_000

/**
 * 1, 2 and 3 servers over one etcd. Processor time on a machine with few processors shows the
 * throughput that separate machines would have.
 */
export async function replicaRows(bench: Bench): Promise<Row[]> {
  const program = findEtcd()
  if (program === undefined) {
    process.stderr.write('skipped: etcd not found\n')
    return []
  }
  const etcd = await startEtcd(program)
  const flags = ['--storage', 'etcd', '--etcd-servers', etcd.endpoint]
  const servers: ApiServer[] = []
  const loads = new Map<Way, Load[][]>(ways.map((way) => [way, []]))
  const rows: Row[] = []
  try {
    while (servers.length < mostReplicas) {
      servers.push(await bench.startServer(bench.newFolder(), { flags }))
      await pause(settleMs)
      rows.push(await restRow(servers))
      for (const [way, each] of loads) {
        await measured(bench, servers, way) // What the first events of a process cost is not counted.
        const rounds: Load[] = []
        while (rounds.length < bench.options.rounds)
          rounds.push(await measured(bench, servers, way))
        each.push(rounds)
      }
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await etcd.remove()
  }
  for (const [way, [alone = [], ...more]] of loads)
    rows.push(...more.map((each, at) => watchRow(way, { alone, together: each, count: at + 2 })))
  return rows
}

/** Memory and processor time of the last started server, without requests. */
async function restRow(servers: readonly ApiServer[]): Promise<Row> {
  const { pid } = servers.at(-1) ?? { pid: 0 }
  const before = cpuSeconds(pid)
  await pause(idleMs)
  const percent = ((cpuSeconds(pid) - before) / idleMs) * 1000 * 100
  return {
    id: `replica-${servers.length}-rest`,
    what: `replica ${servers.length} on etcd at rest: memory (RSS)`,
    ours: residentBytes(pid) / 1e6,
    unit: 'MB',
    detail: `processor time ${percent.toFixed(1)} % of one`,
  }
}

interface Load {
  /** Processor time of the server that used the most. */
  busiestSeconds: number
  result: LoadResult
}

let runs = 0

/** The same watches and writes, spread over all servers by connections. */
async function measured(
  bench: Bench,
  servers: readonly ApiServer[],
  { rate, writes }: Way,
): Promise<Load> {
  const [first] = servers
  if (first === undefined) throw new Error('no server')
  const balancer = await TcpBalancer.open(servers.map(({ port }) => port))
  const target = { ...first, port: balancer.port }
  const before = servers.map(({ pid }) => cpuSeconds(pid))
  try {
    const watch = watchRequest(target, await revisionOf(first))
    const request = createRequest(target, `r${runs++}`)
    const result = await bench.tool.watch(target, { ...load, rate, writes, watch, request })
    const used = servers.map(({ pid }, at) => cpuSeconds(pid) - (before[at] ?? 0))
    return { busiestSeconds: Math.max(...used), result }
  } finally {
    await balancer.close()
  }
}

interface Compared {
  alone: readonly Load[]
  together: readonly Load[]
  /** Number of servers together. */
  count: number
}

function watchRow(way: Way, { alone, together, count }: Compared): Row {
  const [one, busiest] = [alone, together].map((loads) =>
    median(loads.map(({ busiestSeconds }) => busiestSeconds)),
  ) as [number, number]
  const seconds = (value: number) => `${value.toFixed(2)} s`
  const isWhole = together.every(({ result }) => result.complete && result.closed === 0)
  const pace = way.rate === 0 ? '' : ` at ${way.rate} a second`
  return {
    id: `replica-${count}-${way.id}`,
    what: `${count} replicas: watches that they serve in the processor time of one, ${way.name}${pace}`,
    ours: one / busiest,
    unit: '×',
    ...(count === mostReplicas && 'aim' in way ? { aim: way.aim } : {}),
    detail:
      `${way.writes} writes to ${load.watchers} watchers: ${seconds(busiest)} of the busiest, ` +
      `${seconds(one)} of one alone`,
    ...(isWhole ? {} : { fault: 'not every event was delivered once to every watcher' }),
  }
}
