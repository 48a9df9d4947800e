import type { Clock } from '../../../meta/clock.ts'
import { newestState } from '../../../registry/read/newestState.ts'
import { alwaysLeading, type Leadership } from '../../../runtime/leadership.ts'
import type { Storage } from '../../../storage/storage.ts'
import { LocalLoginRecords, type LoginRecords } from './loginRecords.ts'
import { SharedBuckets } from '../limits/sharedBuckets.ts'
import { StoredLoginRecords } from './storedLoginRecords.ts'

/** State of logins that all servers over one storage have in common. */
export interface SharedLogins {
  /** Records of one purpose. */
  recordsOf: (purpose: string) => LoginRecords
  /** Counts of attempts; undefined: this server is the only one. */
  buckets: SharedBuckets | undefined
  /** Resolves when reads show what every server has written; undefined: they do. @throws StatusError 503. */
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

/** Logins of the only server of a storage. */
function localLogins(clock: Clock): SharedLogins {
  return {
    recordsOf: () => new LocalLoginRecords(clock),
    buckets: undefined,
    newest: () => undefined,
    leadership: alwaysLeading,
  }
}
