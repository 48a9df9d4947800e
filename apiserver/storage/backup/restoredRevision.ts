import type { BackupHeader } from './backupFormat.ts'

/** More writes than one server can make durable in a millisecond. */
const revisionsPerMs = 100
/** Covers clocks that disagree, and servers that restore the same backup at the same time. */
const leastSkipped = 1_000_000_000

/**
 * The revision at which a restored storage continues. It is above any that the server of the backup can have served since,
 * and above any that a storage restored from the same backup earlier can have: it grows with time faster than revisions do.
 */
export function restoredRevision({ revision, createdMs }: BackupHeader, now: number): number {
  return revision + leastSkipped + Math.max(0, now - createdMs) * revisionsPerMs
}
