import type { Change } from '../storage.ts'
import type { DiskWrite } from './database.ts'
import { encodeLog, logKey, logSize } from './records.ts'

/** A read of one old value reads the record it stands in, so records are kept small. */
const targetBytes = 64 * 1024

/** The log records of a batch, and the first revision of each. */
export interface BatchRecords {
  writes: DiskWrite[]
  firsts: number[]
}

/** `changes` follow each other without a gap. */
export function batchRecords(changes: readonly Change[], time: number): BatchRecords {
  const batch: BatchRecords = { writes: [], firsts: [] }
  let from = 0
  let bytes = 0
  for (let at = 0; at < changes.length; at++) {
    const change = changes[at]
    if (change === undefined) break
    const size = logSize(change)
    if (at > from && bytes + size > targetBytes) {
      add(batch, changes.slice(from, at), { time, bytes })
      from = at
      bytes = 0
    }
    bytes += size
  }
  add(batch, from === 0 ? changes : changes.slice(from), { time, bytes })
  return batch
}

function add(
  { writes, firsts }: BatchRecords,
  changes: readonly Change[],
  { time, bytes }: { time: number; bytes: number },
): void {
  const first = changes[0]?.revision
  if (first === undefined) return
  firsts.push(first)
  writes.push({ type: 'put', key: logKey(first), value: encodeLog(time, changes, bytes) })
}
