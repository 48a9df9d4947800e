import { join } from 'node:path'
import type { Clock } from '../../meta/clock.ts'
import type { Histogram } from '../../meta/collections/histogram.ts'
import { messageOf } from '../../meta/messageOf.ts'
import { unsealed, type Sealing } from '../encryption/sealing.ts'
import { StorageError } from '../errors.ts'
import type * as contract from '../storage.ts'
import { AcknowledgedFile, nothingAcknowledged, readAcknowledged } from './files/acknowledged.ts'
import { Compactor } from './writing/compactor.ts'
import { openMemory, type Database } from './format/database.ts'
import { History } from './image/history.ts'
import type { Image } from './image/image.ts'
import { leftoverLog, loadImage } from './image/loadImage.ts'
import {
  completeFormatMarker,
  readFormatMarker,
  type FolderIdentity,
} from './files/formatMarker.ts'
import { openFolder } from './folder/openFolder.ts'
import { encodeValue } from './format/records.ts'
import { rescue, type DataLoss } from './folder/rescue.ts'
import { Retry } from './writing/retry.ts'
import { Subscriptions, type Listener } from '../objects/subscriptions.ts'
import { WriteQueue } from './writing/writeQueue.ts'

export interface LevelStorageOptions {
  /** The folder of all data; undefined: in memory, lost with the process. */
  location: string | undefined
  /**
   * Settings that the stored data depends on, kept in the folder, which opens only with the same
   * ones. Default: none.
   */
  identity?: FolderIdentity
  /** True to continue with the readable part of a damaged folder instead of failing with Corrupt. Default false. */
  acceptDataLoss?: boolean
  /** True if a write waits until it is on disk. Otherwise it survives a crash of the process, but not of the machine.
   *  Default true. */
  syncsWrites?: boolean
  /** Encryption of values. Default: none. */
  sealing?: Sealing
  clock: Clock
  /** History younger than this is kept. Default 600. */
  retainSeconds?: number
  /** Maximum number of history records kept, even if they are young. Default 1,000,000; 0: no bound. */
  retainRevisions?: number
  /**
   * Maximum bytes of a value; a larger one is refused with TooLarge, unless it replaces one at least as large. Default:
   * no bound.
   */
  maxValueBytes?: number
  /** Maximum number of writes that wait for the disk; further ones are refused with Overloaded. Default 8192. */
  maxQueuedWrites?: number
  /**
   * Called when the disk failed or a listener threw. After a disk failure, writes fail until the
   * storage has recovered by itself. Default: ignored.
   */
  onFailure?: (error: unknown) => void
  /** Called when writes are accepted again after a failure. Default: ignored. */
  onRecovered?: () => void
  /** Opens the database; default: LevelDB in the folder, or memory-level. */
  openDatabase?: (location: string | undefined) => Promise<Database>
}

/**
 * The default storage: LevelDB holds objects, history and counter; memory holds the newest state. See `storage.ts` for
 * its contract, `records.ts` for the format on disk, `writeQueue.ts` for the path of a write.
 */
export class LevelStorage implements contract.Storage {
  readonly isShared = false
  /** Data lost at this opening, because the operator accepted it; undefined: none. */
  readonly dataLoss: DataLoss | undefined
  readonly #options: LevelStorageOptions
  readonly #database: Database
  readonly #image: Image
  /** Undefined: in memory. */
  readonly #acknowledged: AcknowledgedFile | undefined
  readonly #history: History
  readonly #subscriptions: Subscriptions
  readonly #writes: WriteQueue
  readonly #compactor: Compactor
  #retry: Retry | undefined
  #failure: StorageError | undefined
  #closed: Promise<void> | undefined

  /**
   * Opens or creates the storage, and verifies all of it.
   * @throws StorageError Locked, NewerFormat, OlderFormat, OtherIdentity, Corrupt, Sealed, Unavailable.
   */
  static async open(options: LevelStorageOptions): Promise<LevelStorage> {
    const { location, acceptDataLoss = false, identity = {} } = options
    try {
      return await LevelStorage.#openWhole(options)
    } catch (error) {
      const isDamaged = error instanceof StorageError && error.code === 'Corrupt'
      if (!isDamaged || !acceptDataLoss || location === undefined) throw error
      const dataLoss = await rescue(location, identity, error.message)
      return LevelStorage.#openWhole(options, dataLoss)
    }
  }

  static async #openWhole(
    options: LevelStorageOptions,
    dataLoss?: DataLoss,
  ): Promise<LevelStorage> {
    const { location } = options
    const database = await (options.openDatabase?.(location) ?? openDefault(options))
    let file: AcknowledgedFile | undefined
    try {
      const acknowledged = await acknowledgedIn(options)
      const image = await loadImage(database, { ...loadOptions(options), acknowledged })
      file = await openAcknowledged(options, image)
      const storage = new LevelStorage(options, { database, image, file, dataLoss })
      storage.#compactor.start(await leftoverLog(database, image.mark.checkpoint))
      return storage
    } catch (error) {
      await file?.close()
      await database.close()
      throw error
    }
  }

  private constructor(options: LevelStorageOptions, { database, image, file, dataLoss }: Opened) {
    this.dataLoss = dataLoss
    const onFailed = (cause: unknown): void => this.#fail(cause)
    const { clock, retainSeconds = 600, retainRevisions = 1_000_000 } = options
    const sealing = sealingOf(options)
    this.#options = options
    this.#database = database
    this.#image = image
    this.#acknowledged = file
    this.#history = new History(database, image, sealing)
    this.#subscriptions = new Subscriptions((error) => options.onFailure?.(error))
    const onCommitted = (changes: readonly contract.Change[]): void => {
      this.#subscriptions.deliver(changes)
      this.#compactor.checkSize()
    }
    const maxQueued = options.maxQueuedWrites ?? 8192
    const parts = { database, image, clock, onFailed }
    const onDurable = (revision: number, chain: number) => file?.advance(revision, chain)
    this.#writes = new WriteQueue({ ...parts, sealing, maxQueued, onDurable, onCommitted })
    this.#compactor = new Compactor({ ...parts, retainSeconds, retainRevisions })
  }

  get revision(): number {
    return this.#image.revision
  }

  get compactedRevision(): number {
    return this.#image.compacted
  }

  /** Time that batches of writes took to become durable. */
  get writeSeconds(): Histogram {
    return this.#writes.seconds
  }

  create(key: string, value: contract.ValueTemplate): Promise<contract.StoredValue> {
    return this.#write(() => {
      this.ready()
      const standing = this.#writes.newest(key)
      if (standing !== undefined) {
        const { revision } = standing
        throw new StorageError('KeyExists', `${key} already exists`, { key, revision })
      }
      return this.#put(key, value, undefined)
    })
  }

  update(
    key: string,
    value: contract.ValueTemplate,
    expected: number,
  ): Promise<contract.StoredValue> {
    return this.#write(() => this.#put(key, value, this.#expect(key, expected)))
  }

  async delete(key: string, expected: number): Promise<number> {
    const previous = this.#expect(key, expected)
    const revision = this.#writes.nextRevision()
    const change = { key, revision, value: undefined, previous }
    await this.#writes.add(change, undefined)
    return revision
  }

  newest(key: string): contract.StoredValue | undefined {
    this.#refuseClosed()
    return this.#writes.newest(key)
  }

  pendingRevision(key?: string): number {
    return this.#writes.pendingRevision(key)
  }

  /** Always 0: a failed batch makes the storage unavailable. */
  get takenBack(): number {
    return 0
  }

  async settled(revision: number): Promise<void> {
    this.#refuseClosed()
    return this.#writes.settled(revision)
  }

  /** Runs `work` directly, since no other process writes. */
  together<T>(work: () => T): T {
    return work()
  }

  guard(): undefined {
    return undefined
  }

  /** Undefined, since no other process writes. */
  reachNewest(): undefined {
    return undefined
  }

  async get(
    key: string,
    options: contract.ReadOptions = {},
  ): Promise<contract.StoredValue | undefined> {
    this.#refuseClosed()
    const { revision = this.revision } = options
    return revision === this.revision ? this.#image.get(key) : this.#history.get(key, revision)
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
        ? this.#image.collect(range, bound)
        : await this.#history.list(range, revision, bound)
    const more = limit > 0 && items.length > limit
    if (more) items.pop()
    return { items, revision, more }
  }

  isStale(key: string): Promise<boolean> | undefined {
    return this.#options.sealing === undefined ? undefined : this.#history.isStale(key)
  }

  async watch(prefix: string, since: number, listener: Listener): Promise<contract.Subscription> {
    let reached = since
    for (;;) {
      this.#refuseClosed()
      this.#history.refuseCompacted(reached)
      // Nothing is left to replay: the subscription begins in this same turn, so no change is missed.
      if (this.#image.history.matching(prefix, reached, 1).revisions.length === 0) {
        return this.#subscriptions.add(prefix, reached, listener)
      }
      const page = await this.#history.changes(prefix, reached, replayCount)
      listener(page.changes)
      reached = page.revision
    }
  }

  async changes(prefix: string, since: number, limit: number): Promise<contract.ChangePage> {
    this.#refuseClosed()
    return this.#history.changes(prefix, since, limit)
  }

  async compact(revision: number): Promise<void> {
    this.ready()
    if (revision > this.revision) this.#history.refuseUnreadable(revision)
    try {
      await this.#compactor.compact(revision)
    } catch (cause) {
      this.#fail(cause)
      throw new StorageError('Unavailable', 'the compaction failed on disk', { cause })
    }
  }

  ready(): void {
    this.#refuseClosed()
    if (this.#failure !== undefined) {
      const { message, cause } = this.#failure
      throw new StorageError('Unavailable', message, { cause })
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await this.#writes.idle()
    await this.#retry?.stop()
    await this.#compactor.stop()
    try {
      await this.#acknowledged?.close()
    } finally {
      await this.#database.close()
    }
  }

  /** Newest value, at the expected revision. @throws StorageError Unavailable, KeyNotFound, RevisionConflict. */
  #expect(key: string, expected: number): contract.StoredValue {
    this.ready()
    const standing = this.#writes.newest(key)
    if (standing === undefined) throw new StorageError('KeyNotFound', `${key} not found`, { key })
    const { revision } = standing
    if (revision === expected) return standing
    const message = `${key} has revision ${revision}, not ${expected}`
    throw new StorageError('RevisionConflict', message, { key, revision })
  }

  /** Writes with one promise, whereas an async function for each step would create four. */
  #write(begin: () => Promise<contract.StoredValue>): Promise<contract.StoredValue> {
    try {
      return begin()
    } catch (error) {
      return Promise.reject(asError(error))
    }
  }

  #put(
    key: string,
    template: contract.ValueTemplate,
    previous: contract.StoredValue | undefined,
  ): Promise<contract.StoredValue> {
    const revision = this.#writes.nextRevision()
    const value = encodeValue(revision, template)
    this.#refuseTooLarge(key, value, previous)
    const written = this.#writes.add({ key, revision, value, previous }, { key, revision, value })
    // add() resolves to the value it was given.
    return written as Promise<contract.StoredValue>
  }

  /**
   * Refuses a value that is too large, unless it replaces one, stored with another limit, that is at least as large.
   */
  #refuseTooLarge(key: string, value: Buffer, previous: contract.StoredValue | undefined): void {
    const { maxValueBytes = Infinity } = this.#options
    if (value.length <= Math.max(maxValueBytes, previous?.value.length ?? 0)) return
    const why = `${key} has ${value.length} bytes, more than ${maxValueBytes}`
    throw new StorageError('TooLarge', why, { key })
  }

  #refuseClosed(): void {
    if (this.#closed !== undefined) throw new StorageError('Unavailable', 'the storage is closed')
  }

  #fail(cause: unknown): void {
    if (this.#failure !== undefined || this.#closed !== undefined) return
    const said = messageOf(cause)
    const message = `the storage takes no writes, because one failed on disk: ${said}`
    this.#failure = new StorageError('Unavailable', message, { cause })
    const report = (error: unknown): void => this.#options.onFailure?.(error)
    report(this.#failure)
    this.#retry = new Retry(this.#options.clock, () => this.#recover(), report)
    this.#retry.start()
  }

  /**
   * Reopens the database. Writes beyond the image, which were rejected but became durable
   * nevertheless, are delivered like any other change. @throws StorageError if the database is
   * damaged.
   */
  async #recover(): Promise<void> {
    await this.#writes.idle()
    await this.#compactor.stop()
    await this.#database.close()
    await this.#database.reopen()
    const acknowledged = { revision: this.revision, chain: undefined }
    const image = await loadImage(this.#database, { ...loadOptions(this.#options), acknowledged })
    const surprises = await allChanges(
      new History(this.#database, image, sealingOf(this.#options)),
      this.revision,
    )
    const leftover = await leftoverLog(this.#database, image.mark.checkpoint)
    if (this.#closed !== undefined) return
    this.#acknowledged?.advance(image.revision, image.chain)
    this.#image.become(image)
    this.#writes.restart()
    this.#failure = undefined
    this.#subscriptions.deliver(surprises)
    this.#compactor.start(leftover)
    this.#options.onRecovered?.()
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

const replayCount = 500

function openDefault({
  location,
  identity,
  syncsWrites = true,
}: LevelStorageOptions): Promise<Database> {
  return location === undefined ? openMemory() : openFolder(location, identity, syncsWrites)
}

interface Opened {
  database: Database
  image: Image
  file: AcknowledgedFile | undefined
  dataLoss: DataLoss | undefined
}

async function acknowledgedIn({ location, identity = {} }: LevelStorageOptions) {
  if (location === undefined) return nothingAcknowledged
  const marker = await readFormatMarker(location, identity)
  return readAcknowledged(location, marker?.keepsAcknowledged === true)
}

/** Records that everything in the image is acknowledged: it is served from now on. */
async function openAcknowledged(
  { location, identity = {}, clock, onFailure }: LevelStorageOptions,
  { revision, chain }: Image,
): Promise<AcknowledgedFile | undefined> {
  if (location === undefined) return undefined
  const file = await AcknowledgedFile.open(location, clock, (error) => onFailure?.(error))
  try {
    file.advance(revision, chain)
    const marker = await readFormatMarker(location, identity)
    if (marker?.keepsAcknowledged !== true) await file.sync()
    await completeFormatMarker(location, identity)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

function loadOptions(options: LevelStorageOptions) {
  const sealing = sealingOf(options)
  return { name: nameOf(options), markEveryMs: markEveryMs(options), sealing }
}

function sealingOf({ sealing = unsealed }: LevelStorageOptions): Sealing {
  return sealing
}

function nameOf({ location }: LevelStorageOptions): string {
  return location === undefined
    ? 'the storage in memory'
    : `the database in ${join(location, 'db')}/`
}

/**
 * Interval of time marks in the history: a hundredth of the retention time is exact enough to find
 * its end.
 */
function markEveryMs({ retainSeconds = 600 }: LevelStorageOptions): number {
  return retainSeconds * 10
}

async function allChanges(history: History, since: number): Promise<contract.Change[]> {
  const all: contract.Change[] = []
  for (let reached = since; ;) {
    const { changes, revision, more } = await history.changes('', reached, Infinity)
    all.push(...changes)
    if (!more) return all
    reached = revision
  }
}
