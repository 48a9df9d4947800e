import type { Clock } from '../../meta/clock.ts'
import type { Histogram } from '../../meta/collections/histogram.ts'
import { unsealed, type Sealing } from '../encryption/sealing.ts'
import { StorageError } from '../errors.ts'
import { refuseUnreadable } from '../objects/readable.ts'
import { Subscriptions, type Listener } from '../objects/subscriptions.ts'
import type * as contract from '../storage.ts'
import { toStorageError } from './callErrors.ts'
import { Compaction } from './compaction.ts'
import { EtcdClient, type EtcdAccess } from './etcdClient.ts'
import { EtcdImage } from './etcdImage.ts'
import { Follower } from './follower.ts'
import { checkFormat, clusterIdOf, revisionOf, type Identity } from './etcdFormat.ts'
import { Health } from './etcdHealth.ts'
import { KeySpace } from './keySpace.ts'
import { loadObjects } from './loadObjects.ts'
import { Past } from './past.ts'
import { replayed } from './replay.ts'
import { SharedRead } from './sharedRead.ts'
import { encodeTemplate } from './valueBytes.ts'
import { WriteGroup } from './writeGroup.ts'
import { Writer } from './writer.ts'

export interface EtcdStorageOptions {
  access: EtcdAccess
  /** Prefix of all keys. */
  prefix: string
  /** Identity on which the stored data depends. Default: none. */
  identity?: Identity
  /** Encryption of values. Default: none. */
  sealing?: Sealing
  clock: Clock
  /** Endpoint that is tried first, as a fraction in [0, 1). Default 0: the first. */
  firstEndpoint?: number
  /** Interval of compaction. Default 300,000; 0: other programs compact. */
  compactionIntervalMs?: number
  /** Timeout of health checks, after which etcd counts as failed. Default 2,000. */
  healthcheckTimeoutMs?: number
  /** History younger than this is kept. Default 600. */
  retainSeconds?: number
  /** Approximate maximum number of retained revisions, even young ones. Default 0: unlimited. */
  retainRevisions?: number
  /** Maximum bytes of a value, as in `LevelStorage`. Default: only etcd's limit. */
  maxValueBytes?: number
  /** Maximum number of pending writes. Default 8192. */
  maxQueuedWrites?: number
  /** Called when etcd failed, or a listener threw. Default: ignored. */
  onFailure?: (error: unknown) => void
  /** Called when etcd responds again. Default: ignored. */
  onRecovered?: () => void
}

/**
 * Objects in etcd: etcd's revisions are used as the storage's, and other servers may write the same
 * key space. Memory contains the newest state.
 */
export class EtcdStorage implements contract.Storage {
  readonly isShared = true
  readonly #options: EtcdStorageOptions
  readonly #client: EtcdClient
  readonly #space: KeySpace
  readonly #image = new EtcdImage()
  readonly #subscriptions: Subscriptions
  readonly #follower: Follower
  readonly #writer: Writer
  readonly #past: Past
  readonly #health: Health
  readonly #compaction: Compaction
  readonly #current: SharedRead
  /** Writes of the turn, to be committed together. */
  #group: WriteGroup | undefined
  #closed: Promise<void> | undefined

  /**
   * Loads everything and follows changes from there.
   * @throws StorageError NewerFormat, OtherIdentity, Sealed, Unavailable.
   */
  static async open(options: EtcdStorageOptions): Promise<EtcdStorage> {
    const { access, clock, prefix, firstEndpoint } = options
    const client = await EtcdClient.load(access, clock, firstEndpoint)
    const space = new KeySpace(prefix, options.sealing ?? unsealed)
    try {
      const header = await checkFormat(client, space, options.identity ?? {})
      const parts = { client, space, clusterId: clusterIdOf(header) }
      const storage = new EtcdStorage(options, parts)
      const { objects, revision, guards } = await loadObjects(client, space)
      storage.#image.become(objects, Math.max(revision, revisionOf(header)), guards)
      await storage.#follower.start()
      storage.#health.start()
      storage.#compaction.start()
      return storage
    } catch (error) {
      client.close()
      throw toStorageError(error, `etcd at ${access.endpoints.join(', ')} cannot be used`)
    }
  }

  private constructor(options: EtcdStorageOptions, { client, space, clusterId }: Parts) {
    const { clock, retainSeconds = 600, retainRevisions = 0 } = options
    const report = (error: unknown) => options.onFailure?.(error)
    const image = this.#image
    const shared = { client, space, image, clock }
    this.#options = options
    this.#client = client
    this.#space = space
    this.#subscriptions = new Subscriptions(report)
    this.#follower = new Follower({
      ...shared,
      origin: { clusterId },
      onChanges: (changes) => this.#deliver(changes),
      onLost: (error) => this.#lost(error),
    })
    const maxPending = options.maxQueuedWrites ?? 8192
    this.#writer = new Writer({ ...shared, maxPending, reach: (at) => this.#follower.reach(at) })
    this.#past = new Past(shared)
    this.#health = new Health({
      ...shared,
      timeoutMs: options.healthcheckTimeoutMs ?? 2_000,
      onFailure: report,
      onRecovered: () => options.onRecovered?.(),
    })
    this.#compaction = new Compaction({
      ...{ client, image, clock, retainRevisions, onFailed: report },
      intervalMs: options.compactionIntervalMs ?? 300_000,
      retainMs: retainSeconds * 1000,
    })
    this.#current = new SharedRead(() => this.#reachCurrent())
  }

  get revision(): number {
    return this.#image.revision
  }

  get compactedRevision(): number {
    return this.#image.compacted
  }

  get takenBack(): number {
    return this.#writer.takenBack
  }

  /** Durations of write commits. */
  get writeSeconds(): Histogram {
    return this.#writer.seconds
  }

  create(
    key: string,
    value: contract.ValueTemplate,
    guard?: contract.Guard,
  ): Promise<contract.StoredValue> {
    return this.#joined(() => {
      this.#refuseRefused()
      const standing = this.#writer.newest(key)
      if (standing === undefined) return this.#put(key, value, { previous: undefined, guard })
      const { revision } = standing
      throw new StorageError('KeyExists', `${key} already exists`, { key, revision })
    })
  }

  update(
    key: string,
    value: contract.ValueTemplate,
    expected: number,
    guard?: contract.Guard,
  ): Promise<contract.StoredValue> {
    return this.#joined(() =>
      this.#put(key, value, { previous: this.#expect(key, expected), guard }),
    )
  }

  together<T>(work: () => T): T {
    if (this.#group !== undefined) return work()
    const group = new WriteGroup()
    this.#group = group
    try {
      return work()
    } catch (error) {
      group.refuse()
      throw error
    } finally {
      this.#group = undefined
      group.close()
    }
  }

  /** Starts a write. If it is refused at once, the other writes of its group are refused, too. */
  async #joined<T>(begin: () => Promise<T>): Promise<T> {
    const group = this.#group
    try {
      // Started in the caller's turn.
      const begun = begin()
      return await begun
    } catch (error) {
      group?.refuse()
      throw error
    }
  }

  async delete(key: string, expected: number): Promise<number> {
    this.#expect(key, expected)
    const { revision } = await this.#writer.add(key, undefined)
    return revision
  }

  guard(name: string): contract.Guard {
    return { name, base: this.#writer.guardBase(name) }
  }

  newest(key: string): contract.StoredValue | undefined {
    this.#refuseClosed()
    return this.#writer.newest(key)
  }

  pendingRevision(key?: string): number {
    return this.#writer.pendingRevision(key)
  }

  async settled(revision: number): Promise<void> {
    this.#refuseClosed()
    return this.#writer.settled(revision)
  }

  reachNewest(): Promise<void> {
    const refusal = this.#refusal()
    // All callers of a read get the same promise.
    return refusal === undefined ? this.#current.ask() : Promise.reject(refusal)
  }

  async get(
    key: string,
    options: contract.ReadOptions = {},
  ): Promise<contract.StoredValue | undefined> {
    this.#refuseClosed()
    const { revision = this.revision } = options
    return revision === this.revision ? this.#image.objects.get(key) : this.#past.get(key, revision)
  }

  async list(
    range: contract.KeyRange,
    options: contract.ListOptions = {},
  ): Promise<contract.ListResult> {
    this.#refuseClosed()
    const { limit = 0, revision = this.revision } = options
    const bound = limit > 0 ? limit + 1 : 0 // one more, to detect further keys
    const items =
      revision === this.revision
        ? this.#image.objects.collect(range, bound)
        : await this.#past.list(range, revision, bound)
    const more = limit > 0 && items.length > limit
    if (more) items.pop()
    return { items, revision, more }
  }

  isStale(key: string): Promise<boolean> | undefined {
    return this.#options.sealing === undefined ? undefined : this.#isStale(key)
  }

  async #isStale(key: string): Promise<boolean> {
    const { kvs } = await this.#client.range({ key: this.#space.key(key) })
    await this.#space.prepare(kvs)
    return kvs.some(({ value }) => this.#space.sealing.isStale(key, Buffer.from(value)))
  }

  async watch(prefix: string, since: number, listener: Listener): Promise<contract.Subscription> {
    this.#refuseClosed()
    const { revision } = this
    if (since >= revision) return this.#subscriptions.add(prefix, since, listener)
    return replayed(listener, {
      subscribe: (held) => this.#subscriptions.add(prefix, revision, held),
      page: (after) => this.#past.changes(prefix, after, replayCount),
      since,
      until: revision,
    })
  }

  async changes(prefix: string, since: number, limit: number): Promise<contract.ChangePage> {
    this.#refuseClosed()
    return this.#past.changes(prefix, since, limit)
  }

  async compact(revision: number): Promise<void> {
    this.#refuseRefused()
    if (revision > this.revision) refuseUnreadable(this.#image, revision)
    try {
      await this.#compaction.compact(revision)
    } catch (error) {
      throw toStorageError(error, 'etcd cannot be compacted')
    }
  }

  ready(): void {
    this.#refuseClosed()
    const { failure } = this.#health
    if (failure === undefined) return
    throw new StorageError(failure.code, failure.message, { cause: failure.cause })
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await this.#writer.idle()
    await this.#health.stop()
    await this.#compaction.stop()
    await this.#follower.stop()
    this.#client.close()
  }

  /**
   * Newest value, at the expected revision. @throws StorageError KeyNotFound, RevisionConflict, Unavailable (also if
   * restored).
   */
  #expect(key: string, expected: number): contract.StoredValue {
    this.#refuseRefused()
    const standing = this.#writer.newest(key)
    if (standing === undefined) throw new StorageError('KeyNotFound', `${key} not found`, { key })
    if (this.#writer.isExpected(standing, expected)) return standing
    const { revision } = standing
    const message = `${key} has revision ${revision}, not ${expected}`
    throw new StorageError('RevisionConflict', message, { key, revision })
  }

  #put(
    key: string,
    template: contract.ValueTemplate,
    { previous, guard }: Basis,
  ): Promise<contract.StoredValue> {
    const encoded = encodeTemplate(template)
    const { maxValueBytes = Infinity } = this.#options
    if (encoded.length > Math.max(maxValueBytes, previous?.value.length ?? 0)) {
      const why = `${key} has ${encoded.length} bytes, more than ${maxValueBytes}`
      throw new StorageError('TooLarge', why, { key })
    }
    const added = this.#writer.add(key, encoded, { guard, group: this.#group })
    return added.then(({ stored, revision }) => {
      const held = this.#image.objects.get(key)
      if (held?.revision === revision) return held
      // A later write has replaced it.
      return { key, revision, value: stored?.value ?? Buffer.of() }
    })
  }

  async #reachCurrent(): Promise<void> {
    try {
      const { header } = await this.#client.range({ key: this.#space.format, keysOnly: true })
      await this.#follower.reach(revisionOf(header))
    } catch (error) {
      throw toStorageError(error, 'etcd cannot be read')
    }
  }

  #deliver(changes: readonly contract.Change[]): void {
    this.#writer.applied(changes)
    this.#subscriptions.deliver(changes)
  }

  #lost(error: unknown): void {
    if (error instanceof StorageError && error.code === 'Restored') this.#health.refuse(error)
    else this.#options.onFailure?.(toStorageError(error, 'the watch of etcd is lost'))
  }

  #refuseClosed(): void {
    if (this.#closed !== undefined) throw closedError()
  }

  #refuseRefused(): void {
    const refusal = this.#refusal()
    if (refusal !== undefined) throw refusal
  }

  /** Error of a request, if the state in memory must no longer be served. */
  #refusal(): StorageError | undefined {
    if (this.#closed !== undefined) return closedError()
    const { refusal } = this.#health
    return refusal && new StorageError('Unavailable', refusal.message, { cause: refusal })
  }
}

/** Basis of a write. */
interface Basis {
  previous: contract.StoredValue | undefined
  guard: contract.Guard | undefined
}

function closedError(): StorageError {
  return new StorageError('Unavailable', 'the storage is closed')
}

interface Parts {
  client: EtcdClient
  space: KeySpace
  clusterId: string
}

const replayCount = 500
