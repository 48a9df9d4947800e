import { Histogram } from '../../meta/collections/histogram.ts'
import { StorageError } from '../errors.ts'
import type { Change, Guard, StoredValue } from '../storage.ts'
import { toStorageError } from './callErrors.ts'
import type { EtcdClient } from './etcdClient.ts'
import type { EtcdImage } from './etcdImage.ts'
import type { KeySpace } from './keySpace.ts'
import { toNumber, type KeyValue, type RequestOp, type TxnResponse } from './messages.ts'
import { firstProvisional, PendingWrite } from './pendingWrite.ts'
import type { WriteGroup } from './writeGroup.ts'

export interface WriterOptions {
  client: EtcdClient
  space: KeySpace
  image: EtcdImage
  /** Maximum number of pending writes; further ones are refused with Overloaded. */
  maxPending: number
  /** Resolves when the image has the state of etcd at a revision. */
  reach: (revision: number) => Promise<void>
}

/** Context of a write. */
interface Joining {
  guard?: Guard | undefined
  /** Group of writes with which it is committed. */
  group?: WriteGroup | undefined
}

/** Outcome of an ended write: its revision and its error. */
interface EndedWrite {
  revision: number
  error: StorageError | undefined
}

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const modRevisionTarget = 2
const equal = 0
/** Minimum number of past writes that can still be referred to by their provisional revision. */
const maxRemembered = 4096

/**
 * Writes: each is one transaction that compares the revision of its key. Writes of different keys
 * run concurrently, writes of one key in sequence.
 */
export class Writer {
  /** Durations of write commits. */
  readonly seconds = new Histogram(seconds)
  readonly #options: WriterOptions
  /** Newest pending write of every key. */
  readonly #newest = new Map<string, PendingWrite>()
  /** The newest pending write under each guard. */
  readonly #guards = new Map<string, PendingWrite>()
  /** Pending writes by provisional revision, in order. */
  readonly #pending = new Map<number, { write: PendingWrite; ended: Promise<unknown> }>()
  /** Newest ended write, by key. */
  #ended = new Map<number, EndedWrite>()
  #endedBefore = new Map<number, EndedWrite>()
  #provisional = firstProvisional
  #takenBack = 0

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Number of writes that definitely failed. */
  get takenBack(): number {
    return this.#takenBack
  }

  newest(key: string): StoredValue | undefined {
    const write = this.#newest.get(key)
    return write === undefined ? this.#options.image.objects.get(key) : write.stored
  }

  /** Provisional revision of the newest pending write, of one key or of all; 0: none. */
  pendingRevision(key?: string): number {
    if (this.#pending.size === 0) return 0
    if (key === undefined) return this.#provisional
    return this.#newest.get(key)?.revision ?? 0
  }

  /** Reports whether the value of a key has the revision that its writer expects. */
  isExpected({ revision }: StoredValue, expected: number): boolean {
    return revision === expected || this.#endedAt(expected)?.revision === revision
  }

  /** Write, or revision, on which the next write with a guard builds. */
  guardBase(name: string): number | PendingWrite {
    return this.#guards.get(name) ?? this.#options.image.guard(name)
  }

  /** Adds a write; resolves when it is committed and in the image. The caller has checked the newest state.
   *  @throws StorageError Overloaded, KeyExists, KeyNotFound, RevisionConflict, TooLarge, NoSpace, Unavailable. */
  add(
    key: string,
    encoded: Buffer | undefined,
    { guard, group }: Joining = {},
  ): Promise<PendingWrite> {
    const { image, maxPending } = this.#options
    if (this.#pending.size >= maxPending) {
      throw new StorageError('Overloaded', 'too many writes are waiting for etcd')
    }
    const base = this.#newest.get(key) ?? image.objects.get(key)?.revision ?? 0
    const guarded = guard && { name: guard.name, base: this.guardBase(guard.name) }
    if (guarded?.base !== guard?.base) throw overtaken(key)
    const write = new PendingWrite(++this.#provisional, { key, base, encoded, guard: guarded })
    if (guarded !== undefined) this.#guards.set(guarded.name, write)
    group?.writes.push(write)
    const ended = this.#run(write, group)
    this.#newest.set(key, write)
    this.#pending.set(write.provisional, { write, ended: ended.catch(() => undefined) })
    return ended
  }

  /**
   * Resolves when every write up to a revision has ended; one that lost to another server's write counts as ended.
   * @throws StorageError Unavailable.
   */
  async settled(revision: number): Promise<void> {
    const { image } = this.#options
    if (revision <= image.revision) return
    const known = [...this.#pending.values()].filter(
      ({ write }) => write.provisional <= revision || write.revision === revision,
    )
    const isKnown = revision >= firstProvisional && revision <= this.#provisional
    if (known.length === 0 && !isKnown) {
      throw new StorageError('Unavailable', `the write of revision ${revision} is not on its way`)
    }
    const past = this.#endedAt(revision)
    if (past !== undefined) refuseUndecided(past.error)
    await Promise.all(known.map(({ write, ended }) => ended.then(() => unlessUndecided(write))))
  }

  /**
   * Handles changes in the image: a pending write is decided if one of them has replaced its base.
   */
  applied(changes: readonly Change[]): void {
    if (this.#newest.size === 0) return
    for (const { key, previous } of changes) {
      if (this.#newest.get(key)?.expected === (previous?.revision ?? 0)) this.#newest.delete(key)
    }
  }

  /** Resolves when no write is pending. */
  async idle(): Promise<void> {
    await Promise.all([...this.#pending.values()].map(({ ended }) => ended))
  }

  async #run(write: PendingWrite, group: WriteGroup | undefined): Promise<PendingWrite> {
    try {
      const revision = await (group === undefined
        ? this.#commitNext([write])
        : this.#commitGroup(group))
      write.decide(revision)
      await this.#options.image.reaches(revision)
      this.#end(write, undefined)
      return write
    } catch (thrown) {
      const error = toStorageError(thrown, `cannot write ${write.key}`)
      write.fail(error)
      this.#end(write, error)
      throw error
    }
  }

  #commitGroup(group: WriteGroup): Promise<number> {
    group.committed ??= group.closed.then(() => {
      group.check()
      return this.#commitNext(group.writes)
    })
    return group.committed
  }

  /** Commits writes once the preceding ones are decided. Returns the revision. */
  async #commitNext(writes: readonly PendingWrite[]): Promise<number> {
    for (const write of writes) {
      const { before, guardBefore } = write
      // etcd refuses two writes of one key in a transaction.
      if (before !== undefined && !writes.includes(before)) await this.#follow(write, before)
      if (guardBefore !== undefined) await this.#follow(write, guardBefore)
    }
    const began = performance.now()
    const revision = await this.#commit(writes)
    this.seconds.add((performance.now() - began) / 1000)
    return revision
  }

  /** Waits for the base of a write. @throws StorageError RevisionConflict if it failed. */
  async #follow({ key }: PendingWrite, base: PendingWrite): Promise<void> {
    try {
      await base.decided
    } catch (error) {
      if (error instanceof StorageError && error.code === 'Unavailable') throw error
      throw new StorageError('RevisionConflict', `the write of ${key} before it failed`, { key })
    }
  }

  /** Commits writes and returns the revision. */
  async #commit(writes: readonly PendingWrite[]): Promise<number> {
    const { client, reach } = this.#options
    const parts = writes.map((write) => this.#partOf(write))
    const response = await client.txn({
      compare: parts.flatMap(({ compare }) => compare),
      success: parts.flatMap(({ success }) => success),
      failure: parts.map(({ failure }) => failure),
    })
    const revision = toNumber(response.header.revision)
    if (response.succeeded) return revision
    // A retry reads the winning write.
    await reach(revision)
    throw lostRace(writes, response)
  }

  /** Part of a transaction for one write. */
  #partOf({ key, encoded, expected = 0, guardName, guardExpected }: PendingWrite) {
    const { space } = this.#options
    const etcdKey = space.key(key)
    const write: RequestOp =
      encoded === undefined
        ? { requestDeleteRange: { key: etcdKey } }
        : { requestPut: { key: etcdKey, value: space.sealing.seal(key, encoded) } }
    const own = { result: equal, target: modRevisionTarget, key: etcdKey, modRevision: expected }
    const failure: RequestOp = { requestRange: { key: etcdKey, keysOnly: true } }
    const guardKey = guardName === undefined ? undefined : space.guardKey(guardName)
    return {
      compare: [own, ...guardCompare(guardKey, guardExpected)],
      success: [...guardPut(guardKey), write],
      failure,
    }
  }

  #endedAt(provisional: number): EndedWrite | undefined {
    return this.#ended.get(provisional) ?? this.#endedBefore.get(provisional)
  }

  #end(write: PendingWrite, error: StorageError | undefined): void {
    const { key, provisional, revision } = write
    this.#pending.delete(provisional)
    if (error !== undefined && error.code !== 'Unavailable') this.#takenBack++
    if (this.#isOvertaken(write, error)) this.#newest.delete(key)
    const { guardName } = write
    if (guardName !== undefined) this.#endGuard(guardName, write, error)
    this.#ended.set(provisional, { revision, error })
    if (this.#ended.size < maxRemembered) return
    this.#endedBefore = this.#ended
    this.#ended = new Map()
  }

  /**
   * Reports whether the next write of the key must not build on the newest one, which is `write` or
   * fails with it. Otherwise writers that retry at once would fail in turn forever.
   */
  #isOvertaken(write: PendingWrite, error: StorageError | undefined): boolean {
    let follower = this.#newest.get(write.key)
    while (error !== undefined && follower !== undefined && follower !== write)
      follower = follower.before
    return follower === write
  }

  /** Fails writes that build on a failed one; the next one must not build on them. */
  #endGuard(name: string, write: PendingWrite, error: StorageError | undefined): void {
    let follower = this.#guards.get(name)
    while (error !== undefined && follower !== undefined && follower !== write)
      follower = follower.guardBefore
    if (follower === write) this.#guards.delete(name)
  }
}

async function unlessUndecided(write: PendingWrite): Promise<void> {
  try {
    await write.decided
  } catch (error) {
    refuseUndecided(error)
  }
}

/** Refuses a write. @throws StorageError Unavailable: its result is unknown. */
function refuseUndecided(error: unknown): void {
  if (error instanceof StorageError && error.code === 'Unavailable') throw error
}

function guardCompare(key: Buffer | undefined, modRevision: number) {
  return key === undefined ? [] : [{ result: equal, target: modRevisionTarget, key, modRevision }]
}

function guardPut(key: Buffer | undefined): RequestOp[] {
  return key === undefined ? [] : [{ requestPut: { key, value: Buffer.of() } }]
}

/** Error if a write with the same guard was faster. */
function overtaken(key: string): StorageError {
  return new StorageError('RevisionConflict', `what ${key} was checked against has changed`, {
    key,
  })
}

/** Error of the first write with a key that another server has changed. */
function lostRace(writes: readonly PendingWrite[], { responses }: TxnResponse): StorageError {
  const [first] = writes
  for (const [at, write] of writes.entries()) {
    const error = lostKey(write, responses[at]?.responseRange?.kvs[0])
    // Only the writer of the key may learn that it exists; the others decide again.
    if (error !== undefined) return writes.length > 1 ? overtaken(write.key) : error
  }
  return overtaken(first?.key ?? '')
}

/** Error of a key; undefined: it is as the write expects. */
function lostKey(
  { key, expected = 0 }: PendingWrite,
  found: KeyValue | undefined,
): StorageError | undefined {
  const revision = found === undefined ? 0 : toNumber(found.modRevision)
  if (revision === expected) return undefined
  if (revision === 0) return new StorageError('KeyNotFound', `${key} not found`, { key })
  if (expected === 0)
    return new StorageError('KeyExists', `${key} already exists`, { key, revision })
  const message = `${key} has revision ${revision}, not ${expected}`
  return new StorageError('RevisionConflict', message, { key, revision })
}
