import { StorageError } from '../errors.ts'
import { toNumber, type ResponseHeader } from './messages.ts'

/** Identity of the etcd cluster from which the state was loaded. */
export interface Origin {
  clusterId: string
}

/**
 * Refuses an etcd that was restored from a backup, or is a different one: it lacks acknowledged writes, and assigns
 * their revisions to others. @throws StorageError Restored.
 */
export function refuseRestored(
  { clusterId }: Origin,
  header: ResponseHeader,
  revision: number,
): void {
  const found = toNumber(header.revision)
  if (found < revision) {
    throw new StorageError(
      'Restored',
      `etcd is at revision ${found}, but ${revision} was read from it: it was restored from a backup. ` +
        'Restore it with --bump-revision and --mark-compacted, then restart every server',
    )
  }
  if (String(header.clusterId) === clusterId) return
  throw new StorageError(
    'Restored',
    `etcd has the cluster ID ${String(header.clusterId)}, but had ${clusterId}: it was restored or replaced. ` +
      'Make sure that it is the right one, then restart every server',
  )
}
