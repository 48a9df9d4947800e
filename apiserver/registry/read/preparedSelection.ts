import { pausing, runSteps } from '../../meta/waiting/steps.ts'
import type { CacheSnapshot } from '../../watch/cacheSnapshot.ts'
import type { ListSelection, PageBounds } from './listPage.ts'

/**
 * Reads what a selection needs of a snapshot's entries, in turns: the first selector after a change decodes every
 * object. Afterwards, selecting takes no time. Resolves at once if there is little to read.
 */
export async function prepareSelection(
  snapshot: CacheSnapshot,
  selection: ListSelection,
  { start, limit }: PageBounds,
): Promise<void> {
  // The number of entries to read for a page of visible objects is unknown.
  const bounds = { from: start, limit: selection.shows === undefined ? limit : 0 }
  await runSteps(snapshot.prepare(selection, bounds), pausing(selection.nextTurn))
}

/** The next turn of the event loop. */
export function eventLoopTurn(): Promise<unknown> {
  return new Promise(setImmediate)
}
