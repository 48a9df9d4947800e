import { StorageError } from '../errors.ts'

/** Revisions that a storage can read. */
export interface Readable {
  /** The newest committed revision. */
  readonly revision: number
  /** The oldest readable revision; 0: nothing was compacted. */
  readonly compacted: number
}

/** Checks a revision. @throws StorageError Compacted. */
export function refuseCompacted({ compacted }: Readable, since: number): void {
  if (since >= compacted) return
  const message = `revision ${since} is compacted, the oldest readable one is ${compacted}`
  throw new StorageError('Compacted', message, { revision: compacted })
}

/** Checks a revision. @throws StorageError Compacted, FutureRevision. */
export function refuseUnreadable(readable: Readable, revision: number): void {
  refuseCompacted(readable, revision)
  const { revision: newest } = readable
  if (revision <= newest) return
  const message = `revision ${revision} is not written yet, the newest one is ${newest}`
  throw new StorageError('FutureRevision', message, { revision: newest })
}
