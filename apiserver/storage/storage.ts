/**
 * Storage of keys, bytes and revisions, independent of kinds. Every implementation runs
 * `test/storage/storageSuite.ts`.
 *
 * One revision counter for the whole storage: strictly increasing with every write, never reused,
 * never lower after a restart. A write is acknowledged after it is durable; writes that come
 * together share one sync. The object, its history record and the counter change in one atomic
 * batch, and a failed write leaves no trace.
 *
 * Byte slices handed out are shared and must not be written to.
 */
export interface Storage {
  /** The newest committed revision; 0 before the first write. */
  readonly revision: number
  /** True if other servers may write it, too: reads may be behind until `reachNewest`. */
  readonly isShared: boolean
  /** Reads and watches below this revision are refused with Compacted; 0 if nothing was compacted. */
  readonly compactedRevision: number

  /**
   * Creates a value. The check is made synchronously, before the call returns; the same holds for update and delete.
   * @throws StorageError KeyExists if the key holds a value, including an uncommitted one.
   */
  create(key: string, value: ValueTemplate, guard?: Guard): Promise<StoredValue>

  /**
   * Replaces a value. @throws StorageError KeyNotFound; RevisionConflict if the newest revision of the key is not
   * `expected`.
   */
  update(key: string, value: ValueTemplate, expected: number, guard?: Guard): Promise<StoredValue>

  /**
   * Guard of a decision that depends on several keys, such as that no other object has a value. A
   * write fails with RevisionConflict if a write with a guard of the same name was committed since
   * its guard was taken. Must be taken in the turn of the decision. undefined: no other server
   * writes, and pending writes are visible.
   */
  guard(name: string): Guard | undefined

  /**
   * Runs `work`, in which creates and updates depend on each other. In a shared storage, writes
   * that start in its turn are one transaction: if one is refused or `work` throws, none is
   * written, and the others fail with RevisionConflict. They have one revision. Otherwise they are
   * committed in one batch, since only another server could interfere, and each is refused
   * independently.
   */
  together<T>(work: () => T): T

  /** Deletes a value and returns the revision of the deletion. @throws StorageError KeyNotFound, RevisionConflict. */
  delete(key: string, expected: number): Promise<number>

  /**
   * Number of failed writes that `newest` returned before, so that decisions based on them have to be repeated; 0 if
   * such a failure makes the storage unavailable.
   */
  readonly takenBack: number

  /**
   * Newest value, including writes on their way to disk: the base of updates, so that a hot key does not wait for a
   * disk sync between two writers. If such a write fails, so does every later one of the key. If revisions are assigned
   * at commit, the revision is provisional, above all others: it is valid as `expected` and for `settled`; the returned
   * object and its bytes get the final one once it is known.
   */
  newest(key: string): StoredValue | undefined

  /** The revision of the newest pending write or deletion, of `key` if given; 0: there is none. */
  pendingRevision(key?: string): number

  /**
   * Resolves when every write up to `revision`, as shown by newest(), is durable and visible to
   * get(), or has failed. A failed write is counted by `takenBack`, and the revision of the value
   * that was shown remains above the storage's.
   * @throws StorageError Unavailable if the result of such a write is unknown.
   */
  settled(revision: number): Promise<void>

  /**
   * Resolves when reads show every write acknowledged before this call, by any server; undefined: they already do.
   * @throws StorageError Unavailable.
   */
  reachNewest(): Promise<void> | undefined

  /**
   * Reports whether the newest value of a key would now be stored differently, such as with a newer key, so that equal
   * bytes are written again; undefined: no.
   */
  isStale(key: string): Promise<boolean> | undefined

  /**
   * The committed value of a key, newest or at an older kept revision.
   * @throws StorageError Compacted, FutureRevision.
   */
  get(key: string, options?: ReadOptions): Promise<StoredValue | undefined>

  /** Committed values of a key range in key order, byte order of UTF-8, newest or at an older kept revision.
   *  @throws StorageError Compacted, FutureRevision. */
  list(range: KeyRange, options?: ListOptions): Promise<ListResult>

  /**
   * Calls `listener` with every committed change under `prefix` after `since`: first those in the history, oldest
   * first, then live, batch by batch in revision order, without a gap or a repeat. Live batches are delivered in the
   * turn in which the writes are acknowledged, before the writers continue. The listener must not throw. `lost` is
   * called if no change can be delivered any more, which happens only if values are converted.
   * @throws StorageError Compacted when `since` is below the compacted revision.
   */
  watch(
    prefix: string,
    since: number,
    listener: (changes: readonly Change[]) => void,
    lost?: () => void,
  ): Promise<Subscription>

  /**
   * Committed changes under `prefix` after `since`, oldest first, at most `limit`, up to the revision they reach, so
   * that a watch catches up from history without blocking writers. Fewer if they are large.
   * @throws StorageError Compacted when `since` is below the compacted revision.
   */
  changes(prefix: string, since: number, limit: number): Promise<ChangePage>

  /**
   * Drops history up to and including `revision`. Writes continue in the meantime. A lower revision
   * than before has no effect.
   * @throws StorageError FutureRevision.
   */
  compact(revision: number): Promise<void>

  /** Checks that the storage accepts writes. @throws StorageError Unavailable with the reason. */
  ready(): void

  /** Waits for pending writes, then closes. Later calls throw Unavailable. */
  close(): Promise<void>
}

/** State of the writes of one name; opaque. */
export interface Guard {
  readonly name: string
  readonly base: unknown
}

/**
 * A value that contains its own revision in decimal: `before + revision + after`, in UTF-8. The revision is known only
 * at commit.
 */
export interface ValueTemplate {
  before: string
  after: string
}

export interface StoredValue {
  key: string
  /** The revision that wrote this value. */
  revision: number
  value: Buffer
}

export interface ReadOptions {
  /** Absent: the newest committed state. */
  revision?: number
}

export interface KeyRange {
  prefix: string
  /** The first key to return, inclusive; absent: from the start of the prefix. */
  start?: string
}

export interface ListOptions extends ReadOptions {
  /** Maximum number of values; 0 or absent: all. */
  limit?: number
}

export interface ListResult {
  items: StoredValue[]
  /** The revision at which the list is consistent. */
  revision: number
  /** True if keys follow the last item. */
  more: boolean
}

/** A committed write. `value` is absent for a deletion, `previous` for a creation. */
export interface Change {
  key: string
  revision: number
  value: Buffer | undefined
  previous: StoredValue | undefined
}

export interface ChangePage {
  changes: Change[]
  /** Every change up to this revision is in this or an earlier page. */
  revision: number
  /** True if history holds more after this page. */
  more: boolean
}

export interface Subscription {
  close(): void
}
