import type { Clock } from '../../../meta/clock.ts'
import { newestState } from '../../../registry/read/newestState.ts'
import { alwaysLeading, type Leadership } from '../../../runtime/leadership.ts'
import type { Storage } from '../../../storage/storage.ts'
import { LocalLoginRecords, type LoginRecords } from './loginRecords.ts'
import { SharedBuckets } from '../limits/sharedBuckets.ts'
import { StoredLoginRecords } from './storedLoginRecords.ts'

/** State of logins common to all servers that share the storage. */
export interface SharedLogins {
  /** Records of one purpose. */
  recordsOf: (purpose: string) => LoginRecords
  /** Counts of attempts; undefined: this is the only server. */
  buckets: SharedBuckets | undefined
  /** Resolves when reads show the writes of every server; undefined: they already do. @throws StatusError 503. */
  newest: () => Promise<void> | undefined
  /** Decides which server refreshes identities in the background. */
  leadership: Leadership
}

export function sharedLogins(storage: Storage, clock: Clock, leadership: Leadership): SharedLogins {
  if (!storage.isShared) return localLogins(clock)
  return {
    recordsOf: (purpose) => new StoredLoginRecords(storage, clock, purpose),
    buckets: new SharedBuckets(storage, clock),
    newest: () => newestState(storage),
    leadership,
  }
}

/** Logins of a single server. */
function localLogins(clock: Clock): SharedLogins {
  return {
    recordsOf: () => new LocalLoginRecords(clock),
    buckets: undefined,
    newest: () => undefined,
    leadership: alwaysLeading,
  }
}
