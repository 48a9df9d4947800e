import type { LoadResult } from '../loadTool.ts'
import { inTurn, once, rowOf, withContest, type Contest, type Contests } from './contest.ts'
import type { Contestant } from './contestant.ts'
import { median } from '../row.ts'
import type { PeerRow } from './peerRow.ts'
import { create, get, getFirst, remove } from './requests.ts'

const callers = [1, 16, 64, 256]
const deleted = 1_500
const shared = 10

/** Start, memory at rest, and single-object requests. */
export function throughputRows(contests: Contests): Promise<PeerRow[]> {
  return withContest(contests, async (contest) => {
    const rows = [startRow(contest), memoryRow(contest)]
    await once(contest, (server) => warm(contest, server))
    for (const count of callers) rows.push(...(await createRows(contest, count)))
    rows.push(await deleteRow(contest), ...(await getRows(contest)), await updateRow(contest))
    return rows
  })
}

function startRow({ ours, peer }: Contest): PeerRow {
  return {
    id: 'peer-start',
    what: 'start → first authenticated list',
    unit: 'ms',
    ours: ours.startMs,
    peer: peer.startMs,
  }
}

function memoryRow({ ours, peer }: Contest): PeerRow {
  const mebibytes = (server: Contestant) => server.residentBytes() / 2 ** 20
  return {
    id: 'peer-memory',
    what: 'memory at rest (RSS)',
    unit: 'MiB',
    ours: mebibytes(ours),
    peer: mebibytes(peer),
  }
}

function warm({ tool }: Contest, server: Contestant): Promise<LoadResult> {
  return tool.http(server, {
    connections: 16,
    count: 1_500,
    request: create(server, 'warm'),
    status: 201,
  })
}

let runs = 0

async function createRows(contest: Contest, count: number): Promise<PeerRow[]> {
  const { tool, bench } = contest
  const results = await inTurn(contest, (server) =>
    tool.http(server, {
      connections: count,
      seconds: bench.options.seconds,
      warm: 0.2,
      request: create(server, `c${runs++}`),
      status: 201,
    }),
  )
  const name = `creates, ${count} ${count === 1 ? 'caller' : 'callers'}`
  const id = `peer-create-${count}`
  const rate = rowOf(results, 'perSecond', { id, what: name, unit: '/s' })
  if (count !== 64) return [rate]
  const cpu = { id: `${id}-cpu`, what: `CPU a create, ${count} callers`, unit: 'µs' }
  const p99 = { id: `${id}-p99`, what: `${name}, p99`, unit: 'ms' }
  return [rate, rowOf(results, 'cpuMicros', cpu), rowOf(results, 'p99Ms', p99)]
}

async function deleteRow(contest: Contest): Promise<PeerRow> {
  const { tool } = contest
  const results = await inTurn(contest, async (server) => {
    const prefix = `d${runs++}`
    const load = { connections: 64, count: deleted }
    await tool.http(server, { ...load, request: create(server, prefix), status: 201 })
    return tool.http(server, { ...load, request: remove(server, prefix), status: 200 })
  })
  const what = 'deletes, 64 callers'
  return rowOf(results, 'perSecond', { id: 'peer-delete', what, unit: '/s' })
}

async function getRows(contest: Contest): Promise<PeerRow[]> {
  const { tool, bench } = contest
  const load = { connections: 64, seconds: bench.options.seconds, warm: 0.2, status: 200 }
  const request = (server: Contestant) => getFirst(server, 'warm')
  const plain = await inTurn(contest, (server) =>
    tool.http(server, { ...load, request: request(server) }),
  )
  const http2 = await inTurn(contest, (server) =>
    tool.http(server, { ...load, request: request(server), http2: 1 }),
  )
  const what = 'GET, 64 callers'
  return [
    rowOf(plain, 'perSecond', { id: 'peer-get', what, unit: '/s' }),
    rowOf(plain, 'cpuMicros', {
      id: 'peer-get-cpu',
      what: `CPU a ${what}`,
      unit: 'µs',
    }),
    rowOf(http2, 'perSecond', {
      id: 'peer-get-h2',
      what: `${what}, HTTP/2`,
      unit: '/s',
    }),
  ]
}

async function updateRow(contest: Contest): Promise<PeerRow> {
  const { tool, bench } = contest
  const results = await inTurn(contest, (server) =>
    tool.update(server, {
      connections: 64,
      seconds: bench.options.seconds,
      warm: 0.2,
      request: get(server, 'warm'),
      objects: shared,
    }),
  )
  const row = rowOf(results, 'perSecond', {
    id: 'peer-update',
    what: `get, modify, put of ${shared} objects by 64 callers, successes`,
    unit: '/s',
  })
  const tried = (all: readonly LoadResult[]) => median(all.map(({ answered }) => answered))
  const detail = `of ${tried(results.ours)} tried (peer ${tried(results.peer)}), warm time too`
  return { ...row, detail }
}
