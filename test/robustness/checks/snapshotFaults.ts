import type { Seen, Snapshot } from '../traffic/history.ts'
import { stateAt, type Timeline } from './timeline.ts'

/** Lists that do not have exactly the objects of their revision. */
export function snapshotFaults(snapshots: readonly Snapshot[], timeline: Timeline): string[] {
  const { gaps, until } = timeline
  const firstGap = Math.min(Infinity, ...gaps.map(({ from }) => from))
  return snapshots.flatMap(({ revision, objects, pages, caller, replica }) => {
    // After a gap the deleted objects are unknown.
    if (revision > until || revision > firstGap) return []
    const wanted = textOf(stateAt(timeline, revision))
    const got = textOf(objects)
    if (wanted === got) return []
    return [
      `a list of caller ${caller} of ${replica} in ${pages} pages @${revision} has ${got}, not ${wanted}`,
    ]
  })
}

export function textOf(objects: ReadonlyMap<string, Seen>): string {
  const lines = [...objects].map(([name, { value, revision }]) => `${name}=${value}@${revision}`)
  return lines.sort().join(' ') || 'nothing'
}
