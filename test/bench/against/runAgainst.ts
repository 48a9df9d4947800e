import { setTimeout as pause } from 'node:timers/promises'
import { startApiServer, type ApiServer } from '../apiServer.ts'
import { medians, type Bench } from '../bench.ts'
import { residentBytes } from '../childProcess.ts'
import type { Group } from '../options.ts'
import { alignedTable, amount } from '../report.ts'
import { median } from '../row.ts'
import { revisionOf } from '../revisionOf.ts'
import { createRequest, getRequest, listRequest, watchRequest } from '../sample.ts'

/** Highest accepted ratio of this build to the other. */
const mostRatio = 1.05
const settleMs = 1500
const starts = 7

type Build = 'ours' | 'theirs'
type Values = Record<Build, number[]>

interface Measure {
  group: Group
  what: string
  unit: string
  /** Measures once; smaller is better. */
  of: (server: ApiServer, round: number) => Promise<number>
}

/**
 * Compares this build with the build of another commit: processor time per request and per event,
 * start, memory. Both are measured alternately, and the medians are compared. Other load on the
 * machine affects processor time less than rates.
 */
export async function runAgainst(
  bench: Bench,
  mains: Record<Build, string>,
  machine: () => string,
): Promise<void> {
  const isWanted = ({ group }: Pick<Measure, 'group'>) => bench.options.only.includes(group)
  const rows = isWanted({ group: 'start' }) ? [await startRow(bench, mains)] : []
  const servers = {
    ours: await startApiServer(mains.ours, bench.newFolder()),
    theirs: await startApiServer(mains.theirs, bench.newFolder()),
  }
  try {
    if (isWanted(atRest)) rows.push(await row(bench, servers, atRest))
    for (const server of Object.values(servers)) await warmUp(bench, server)
    for (const measure of measures(bench).filter(isWanted))
      rows.push(await row(bench, servers, measure))
  } finally {
    await Promise.all([servers.ours.stop(), servers.theirs.stop()])
  }
  const heads = ['what', 'this build', 'the other', 'ratio', 'aim']
  process.stdout.write(`${alignedTable([heads, ...rows])}\n${machine()}\n`)
}

const atRest: Measure = {
  group: 'start',
  what: 'memory at rest (RSS)',
  unit: 'MB',
  of: async ({ pid }) => {
    await pause(settleMs)
    return residentBytes(pid) / 1e6
  },
}

async function startRow(bench: Bench, mains: Record<Build, string>): Promise<string[]> {
  const values: Values = { ours: [], theirs: [] }
  for (let round = 0; round < starts; round++) {
    for (const build of order(round)) {
      const server = await startApiServer(mains[build], bench.newFolder())
      values[build].push(server.startMs)
      await server.stop()
    }
  }
  return cells({ what: 'start on a fresh folder → first response', unit: 'ms' }, values)
}

async function row(
  { options }: Bench,
  servers: Record<Build, ApiServer>,
  measure: Measure,
): Promise<string[]> {
  process.stderr.write(`measuring ${measure.what} …\n`)
  const values: Values = { ours: [], theirs: [] }
  for (let round = 0; round < options.rounds; round++) {
    for (const build of order(round)) {
      values[build].push(await measure.of(servers[build], round))
    }
  }
  return cells(measure, values)
}

/** The order of the two builds alternates between rounds. */
function order(round: number): Build[] {
  return round % 2 === 0 ? ['ours', 'theirs'] : ['theirs', 'ours']
}

function cells({ what, unit }: Pick<Measure, 'what' | 'unit'>, values: Values): string[] {
  const [ours, theirs] = [median(values.ours), median(values.theirs)]
  const ratio = ours / theirs
  const verdict = ratio <= mostRatio ? 'reached' : 'MISSED'
  const aim = `≤ ${mostRatio} ${verdict}`
  return [what, `${amount(ours)} ${unit}`, `${amount(theirs)} ${unit}`, ratio.toFixed(3), aim]
}

async function warmUp({ tool }: Bench, server: ApiServer): Promise<void> {
  const load = { connections: 64, count: 10_000, request: createRequest(server, 'warm') }
  await tool.http(server, { ...load, status: 201 })
  const get = { connections: 64, count: 20_000, request: getRequest(server, 'warm') }
  await tool.http(server, { ...get, status: 200 })
}

function measures({ tool, options }: Bench): Measure[] {
  const timing = { warm: 0.2, seconds: options.seconds }
  return [
    {
      group: 'get',
      what: 'GET of one object, 64 connections: processor time',
      unit: 'µs',
      of: async (server) => {
        const request = getRequest(server, 'warm')
        const load = { ...timing, connections: 64, request, status: 200 }
        return medians([await tool.http(server, load)]).cpuMicros
      },
    },
    {
      group: 'list',
      what: 'LIST of 10,000 objects: processor time',
      unit: 'µs',
      of: async (server) => {
        const request = listRequest(server)
        const load = { ...timing, connections: 1, request, status: 200 }
        return medians([await tool.http(server, load)]).cpuMicros
      },
    },
    ...[64, 1].map((connections) => ({
      group: 'create' as const,
      what: `durable create, ${connections} ${connections === 1 ? 'caller' : 'callers'}: processor time`,
      unit: 'µs',
      of: async (server: ApiServer, round: number) => {
        const request = createRequest(server, `c${connections}-${round}`)
        const load = { ...timing, connections, request, status: 201 }
        return medians([await tool.http(server, load)]).cpuMicros
      },
    })),
    {
      group: 'watch',
      what: 'burst of 500 writes to 200 watchers: processor time of an event',
      unit: 'µs',
      of: async (server, round) => {
        const watch = watchRequest(server, await revisionOf(server))
        const request = createRequest(server, `w-${round}`)
        const load = { watchers: 200, writers: 64, writes: 500, rate: 0, start: 1 }
        const result = await tool.watch(server, { ...load, watch, request, status: 201 })
        return (result.serverCpuSeconds * 1e6) / result.events
      },
    },
  ]
}
