import { inTurn, once, rowOf, withContest, type Contest, type Contests } from './contest.ts'
import type { PeerRow } from './peerRow.ts'
import { create, list, remove, watch } from './requests.ts'
import { revisionOf } from './revision.ts'

const count = 10_000
/** Number of lists. A fixed time would be too short for a slow server. */
const lists = 20

/** 10,000 objects: created and deleted during a watch, then listed. */
export function listRows(contests: Contests): Promise<PeerRow[]> {
  return withContest(contests, async (contest) => {
    const seen = await churnRow(contest)
    const { tool } = contest
    await once(contest, (server) =>
      tool.http(server, {
        connections: 64,
        count,
        request: create(server, 'list'),
        status: 201,
      }),
    )
    const rows = [
      await listRow(contest, { id: 'peer-list-gzip', what: 'gzip', headers: gzip }),
      await listRow(contest, {
        id: 'peer-list-1-percent',
        what: 'label selector that 1 % match',
        query: '?labelSelector=shard%3Ds07',
      }),
      await walkRow(contest),
    ]
    return [seen, ...(await wholeRows(contest)), ...rows]
  })
}

const gzip = ['Accept-Encoding: gzip']

async function churnRow(contest: Contest): Promise<PeerRow> {
  const { tool } = contest
  const load = { watchers: 1, writers: 64, writes: count, rate: 0, start: 0 }
  const results = await once(contest, async (server) => {
    const stage = async (request: string, status: number) => {
      const from = watch(server, await revisionOf(server))
      return tool.watch(server, { ...load, watch: from, request, status })
    }
    const made = await stage(create(server, 'churn'), 201)
    const removed = await stage(remove(server, 'churn'), 200)
    return {
      seconds: made.seconds + removed.seconds,
      complete: made.complete && removed.complete,
    }
  })
  return {
    id: 'peer-churn',
    what: `${count} creates, then deletes, seen by a watch`,
    unit: 's',
    ours: results.ours.seconds,
    peer: results.peer.seconds,
    ...(results.ours.complete ? {} : { fault: 'not every event was seen' }),
  }
}

async function wholeRows(contest: Contest): Promise<PeerRow[]> {
  const { tool } = contest
  const results = await inTurn(contest, (server) =>
    tool.http(server, { connections: 1, count: lists, request: list(server), status: 200 }),
  )
  const what = `LIST of ${count}`
  return [
    rowOf(results, 'p50Ms', { id: 'peer-list', what, unit: 'ms' }),
    rowOf(results, 'cpuMicros', {
      id: 'peer-list-cpu',
      what: `CPU a ${what}`,
      unit: 'µs',
    }),
  ]
}

interface ListCase {
  id: string
  what: string
  query?: string
  headers?: string[]
}

async function listRow(contest: Contest, given: ListCase): Promise<PeerRow> {
  const { tool } = contest
  const { id, what, query = '', headers = [] } = given
  const results = await inTurn(contest, (server) =>
    tool.http(server, {
      connections: 1,
      count: lists,
      request: list(server, query, headers),
      status: 200,
    }),
  )
  const named = { id, what: `LIST of ${count}, ${what}, p50`, unit: 'ms' }
  return rowOf(results, 'p50Ms', named)
}

async function walkRow(contest: Contest): Promise<PeerRow> {
  const { tool } = contest
  const results = await inTurn(contest, (server) =>
    tool.walk(server, { count: 5, request: list(server, '?limit=500&continue=CONTINUE') }),
  )
  const what = `LIST of ${count} in pages of 500, whole walk, p50`
  return rowOf(results, 'p50Ms', { id: 'peer-walk', what, unit: 'ms' })
}
