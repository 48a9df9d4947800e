import type { BackupHeader } from './backupFormat.ts'

/** Number of revisions per millisecond, more than one server can make durable. */
const revisionsPerMs = 100
/**
 * Minimum number of skipped revisions, for clocks that disagree, and for servers that restore the same backup
 * concurrently.
 */
const leastSkipped = 1_000_000_000

/**
 * Revision at which a restored storage continues. It is above any that the server of the backup can have served since,
 * and above any of a storage restored from the same backup earlier: it grows faster with time than revisions do.
 */
export function restoredRevision({ revision, createdMs }: BackupHeader, now: number): number {
  return revision + leastSkipped + Math.max(0, now - createdMs) * revisionsPerMs
}
