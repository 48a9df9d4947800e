import type { StoredValue } from '../../storage.ts'
import { withTerm } from '../format/digest.ts'
import * as records from '../format/records.ts'

export interface RescuedState {
  objects: Map<string, StoredValue>
  /** The highest revision found. */
  revision: number
  /** Known losses as phrases. */
  lost: string[]
}

/**
 * The newest objects in the entries of a damaged database. A write in the log is a whole value, so writes after a gap
 * count too. `acknowledged`: the revision that should be present.
 */
export function rescuedState(
  entries: ReadonlyMap<string, Buffer>,
  acknowledged: number,
): RescuedState {
  const state: RescuedState = { objects: new Map(), revision: 0, lost: [] }
  const found = entries.get(records.markKey)
  const mark = found && records.decodeMark(found)
  if (mark === undefined && [...entries.keys()].some(isObject)) {
    state.lost.push('the mark of the compaction, so deleted objects may be back')
  }
  readObjects(state, entries, mark)
  replayLog(state, entries, mark)
  if (state.revision < acknowledged) lose(state, state.revision + 1, acknowledged)
  return state
}

function readObjects(
  state: RescuedState,
  entries: ReadonlyMap<string, Buffer>,
  mark: records.Mark | undefined,
): void {
  let digest = 0
  for (const [diskKey, record] of entries) {
    if (!isObject(diskKey)) continue
    const stored = records.decodeObject(diskKey.slice(records.checkpointPrefix.length), record)
    if (stored === undefined) continue
    state.objects.set(stored.key, stored)
    state.revision = Math.max(state.revision, stored.revision)
    digest = withTerm(digest, stored.key, stored.revision)
  }
  if (mark === undefined) return
  state.revision = Math.max(state.revision, mark.checkpoint)
  if (digest !== mark.digest) {
    state.lost.push(
      `objects as they were at revision ${mark.checkpoint}: some are missing, are older or were deleted`,
    )
  }
}

function replayLog(
  state: RescuedState,
  entries: ReadonlyMap<string, Buffer>,
  mark: records.Mark | undefined,
): void {
  const from = mark?.checkpoint ?? 0
  let end = from
  // Only the mark records where a compaction ended; before the first one there is neither a mark
  // nor an object.
  const beginsAnywhere = mark === undefined && state.objects.size > 0
  const logs = [...entries].filter(([key]) => key.startsWith(records.logPrefix))
  const inOrder = logs
    .map(([key, bytes]) => ({ first: records.logRevision(key), log: records.decodeLog(bytes) }))
    .sort((a, b) => a.first - b.first)
  for (const { first, log } of inOrder) {
    if (log === undefined || first <= from) continue
    if (first > end + 1 && !(end === 0 && beginsAnywhere)) lose(state, end + 1, first - 1)
    log.writes.forEach((write, at) => apply(state, write, first + at))
    end = first + log.writes.length - 1
  }
  state.revision = Math.max(state.revision, end)
}

function apply(state: RescuedState, { key, value }: records.LogWrite, revision: number): void {
  if ((state.objects.get(key)?.revision ?? 0) >= revision) return
  if (value === undefined) state.objects.delete(key)
  else state.objects.set(key, { key, revision, value })
}

function lose(state: RescuedState, first: number, last: number): void {
  state.lost.push(first === last ? `revision ${first}` : `revisions ${first} to ${last}`)
}

function isObject(diskKey: string): boolean {
  return diskKey.startsWith(records.checkpointPrefix)
}
