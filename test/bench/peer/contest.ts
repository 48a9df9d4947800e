import type { Bench } from '../bench.ts'
import { medians } from '../bench.ts'
import type { LoadResult, LoadTool } from '../loadTool.ts'
import type { Contestant, Start } from './contestant.ts'
import type { PeerRow } from './peerRow.ts'

/** Both servers of a group of rows, on fresh folders. */
export interface Contest {
  ours: Contestant
  peer: Contestant
  bench: Bench
  /** Load tool with TLS. */
  tool: LoadTool
}

/** Results of both servers. */
export interface Pair<T> {
  ours: T
  peer: T
}

export type Measure<T> = (server: Contestant) => Promise<T>

/** Tools and servers of the comparison. */
export interface Contests {
  bench: Bench
  tool: LoadTool
  starts: Pair<Start>
}

export async function withContest<T>(
  { bench, tool, starts }: Contests,
  use: (contest: Contest) => Promise<T>,
): Promise<T> {
  const ours = await starts.ours(bench)
  const peer = await starts.peer(bench)
  try {
    return await use({ ours, peer, bench, tool })
  } finally {
    await Promise.all([ours.stop(), peer.stop()])
  }
}

export async function once<T>({ ours, peer }: Contest, measure: Measure<T>): Promise<Pair<T>> {
  return { ours: await measure(ours), peer: await measure(peer) }
}

/** Measures both servers alternately, once per round. */
export async function inTurn<T>(contest: Contest, measure: Measure<T>): Promise<Pair<T[]>> {
  const { bench, ours, peer } = contest
  const [left = [], right = []] = await bench.inTurn([() => measure(ours), () => measure(peer)])
  return { ours: left, peer: right }
}

/** Row for one of the medians of a load. */
export function rowOf(
  results: Pair<readonly LoadResult[]>,
  value: keyof ReturnType<typeof medians>,
  row: Pick<PeerRow, 'id' | 'what' | 'unit'>,
): PeerRow {
  return { ...row, ours: medians(results.ours)[value], peer: medians(results.peer)[value] }
}
