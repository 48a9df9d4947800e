import { setTimeout as pause } from 'node:timers/promises'
import type { LoadResult } from '../loadTool.ts'
import { once, withContest, type Contest, type Contests, type Pair } from './contest.ts'
import type { Contestant } from './contestant.ts'
import type { PeerRow } from './peerRow.ts'
import { create, watch } from './requests.ts'
import { revisionOf } from './revision.ts'

const watchers = 1_000
const idleFirst = 100
const fast = { writers: 16, writes: 300, rate: 100 }
const slow = { writers: 4, writes: 60, rate: 20 }
const burst = { writers: 64, writes: 2_000, rate: 0 }
/** Pause before the next row: pending output of a server is dropped with its watchers. */
const calmMs = 2_000

/** Transport of watchers. */
interface Way {
  id: string
  name: string
  /** Number of HTTP/2 connections; absent: an HTTP/1.1 connection for each watcher. */
  connections?: number
  hasBurst: boolean
}

const ways: readonly Way[] = [
  { id: 'h1', name: 'a connection each', hasBurst: true },
  {
    id: 'h2',
    name: '4 connections of HTTP/2',
    connections: 4,
    hasBurst: false,
  },
]

/**
 * 1,000 watchers. Each transport has separate servers, so that memory left behind by one is not
 * measured for the other.
 */
export async function watchRows(contests: Contests): Promise<PeerRow[]> {
  const rows: PeerRow[] = []
  for (const way of ways) {
    rows.push(...(await withContest(contests, (contest) => rowsOf(contest, way))))
  }
  return rows
}

async function rowsOf(contest: Contest, way: Way): Promise<PeerRow[]> {
  // Measured before the deliveries, whose garbage would be counted for the watchers.
  const memory = await once(contest, (server) => kibibytesPerWatch(contest, server, way))
  await once(contest, (server) => deliver(contest, server, { way, load: { ...fast, writes: 20 } }))
  const gentle = await once(contest, (server) => deliver(contest, server, { way, load: slow }))
  const steady = await once(contest, (server) => deliver(contest, server, { way, load: fast }))
  return [
    latencyRow(gentle, { way, id: 'slow', perSecond: slow.rate }),
    latencyRow(steady, { way, id: 'fast', perSecond: fast.rate }),
    cpuRow(steady, way),
    ...(way.hasBurst
      ? [burstRow(await once(contest, (server) => deliver(contest, server, { way, load: burst })))]
      : []),
    {
      id: `peer-watch-${way.id}-memory`,
      what: `memory of an idle watch, ${way.name}`,
      unit: 'KiB',
      ...memory,
    },
  ]
}

let runs = 0

async function deliver(
  { tool }: Contest,
  server: Contestant,
  { way, load }: { way: Way; load: typeof fast },
): Promise<LoadResult> {
  const from = watch(server, await revisionOf(server))
  const request = create(server, `w${runs++}`)
  const fixed = { watchers, watch: from, request, status: 201, start: 1, ...sharing(way) }
  const result = await tool.watch(server, { ...load, ...fixed })
  await pause(calmMs)
  return result
}

function sharing({ connections }: Way): { connections?: number } {
  return connections === undefined ? {} : { connections }
}

async function kibibytesPerWatch({ tool }: Contest, server: Contestant, way: Way): Promise<number> {
  const held = { watch: watch(server, await revisionOf(server)), ...sharing(way) }
  const first = await tool.holdWatches(server, { ...held, watchers: idleFirst })
  await first()
  const endFirst = await tool.holdWatches(server, { ...held, watchers: idleFirst })
  await pause(500)
  const before = server.residentBytes()
  const end = await tool.holdWatches(server, { ...held, watchers })
  await pause(500)
  const after = server.residentBytes()
  await Promise.all([endFirst(), end()])
  return (after - before) / watchers / 1024
}

function latencyRow(
  { ours, peer }: Pair<LoadResult>,
  { way, id, perSecond }: { way: Way; id: string; perSecond: number },
): PeerRow {
  const text = ({ p50Ms, closed }: LoadResult) => `p50 ${p50Ms.toFixed(0)} ms, ${closed} closed`
  return {
    id: `peer-watch-${way.id}-${id}`,
    what: `write → receipt, p99, ${watchers} watchers, ${way.name}, ${perSecond} writes/s`,
    unit: 'ms',
    ours: ours.p99Ms,
    peer: peer.p99Ms,
    detail: `${text(ours)} (peer ${text(peer)})`,
    ...fault(ours),
  }
}

/** Processor time, including that of the writes. */
function cpuRow({ ours, peer }: Pair<LoadResult>, way: Way): PeerRow {
  const micros = ({ serverCpuSeconds, events }: LoadResult) => (serverCpuSeconds * 1e6) / events
  return {
    id: `peer-watch-${way.id}-cpu`,
    what: `CPU a delivered event, ${watchers} watchers, ${way.name}`,
    unit: 'µs',
    ours: micros(ours),
    peer: micros(peer),
  }
}

function burstRow({ ours, peer }: Pair<LoadResult>): PeerRow {
  const rate = ({ events, seconds }: LoadResult) => (events === 0 ? 0 : events / seconds)
  return {
    id: 'peer-watch-burst',
    what: `burst of ${burst.writes} writes to ${watchers} watchers, deliveries`,
    unit: '/s',
    ours: rate(ours),
    peer: rate(peer),
    detail: `peer: ${peer.events} of ${burst.writes * watchers} delivered, ${peer.closed} closed`,
    ...fault(ours),
  }
}

function fault({ complete, closed }: LoadResult): Pick<PeerRow, 'fault'> {
  return complete && closed === 0
    ? {}
    : { fault: 'not every event was delivered once to every watcher' }
}
