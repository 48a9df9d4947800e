import type { Clock, Timer } from '../../meta/clock.ts'
import { StorageError } from '../errors.ts'
import type { Change } from '../storage.ts'
import type { WatchCall } from './connection.ts'
import type { EtcdClient } from './etcdClient.ts'
import type { EtcdImage } from './etcdImage.ts'
import type { KeySpace } from './keySpace.ts'
import { loadObjects } from './loadObjects.ts'
import { toNumber, type Event, type WatchResponse } from './messages.ts'
import { refuseRestored, type Origin } from './origin.ts'
import { keepsProgressInOrder } from './watchTrust.ts'

export interface FollowerOptions {
  client: EtcdClient
  space: KeySpace
  image: EtcdImage
  clock: Clock
  origin: Origin
  /** Called when the image has the changes, before callers that wait for their revision are notified. */
  onChanges: (changes: readonly Change[]) => void
  /** Called when the watch is lost, before it is opened again. */
  onLost: (error: unknown) => void
}

const firstDelayMs = 50
const longestDelayMs = 2_000
/** Interval of progress requests while a caller waits. */
const askAgainMs = 25
/** Maximum wait for the watch to return after it is lost. */
const patienceMs = 10_000
const deletion = 1

/**
 * Keeps the image up to date with one watch. If events are missing because etcd has compacted them, everything is
 * loaded again: the past is then compacted for watchers, too.
 */
export class Follower {
  readonly #options: FollowerOptions
  #stream: WatchCall | undefined
  #isTrusted = false
  #lostAt = 0
  #timer: Timer | undefined
  #asking: Timer | undefined
  #connecting: Promise<void> | undefined
  #isStopped = false

  constructor(options: FollowerOptions) {
    this.#options = options
  }

  /** Opens the watch; the image already has a state. @throws CallError, StorageError Restored. */
  async start(): Promise<void> {
    await this.#connect()
  }

  /**
   * Resolves when the image has the state of etcd at `revision`, regardless of later changes.
   * @throws StorageError Unavailable.
   */
  async reach(revision: number): Promise<void> {
    const reached = this.#options.image.reaches(revision)
    if (reached === undefined) return
    this.#ask()
    await reached
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.cancel()
    this.#asking?.cancel()
    this.#drop()
    await this.#connecting?.catch(() => undefined) // reported where it started
    this.#options.image.abandon(new StorageError('Unavailable', 'the storage is closed'))
  }

  async #connect(): Promise<void> {
    const { client, image, space, origin } = this.#options
    // A quorum read: a member that lags would look like an older state.
    const { header } = await client.range({ key: space.format, keysOnly: true })
    refuseRestored(origin, header, image.revision)
    const { version } = await client.status(patienceMs)
    this.#isTrusted = keepsProgressInOrder(version)
    const stream = await client.openWatch({
      onResponse: (response, watch) => this.#takeInOrder(response, watch),
      onEnd: (error) => {
        if (this.#stream === stream) this.#lose(error)
      },
    })
    if (this.#isStopped) return stream.cancel()
    this.#stream = stream
    const { all } = space
    const startRevision = image.revision + 1
    stream.write({ createRequest: { ...all, startRevision, progressNotify: true } })
  }

  #takeInOrder(response: WatchResponse, stream: WatchCall): void {
    if (this.#stream !== stream) return
    const preparing = this.#options.space.prepare(response.events.map(({ kv }) => kv))
    if (preparing === undefined) return this.#takeOrLose(response)
    stream.pause()
    void preparing.then(() => {
      if (this.#stream === stream) this.#takeOrLose(response)
      stream.resume()
    })
  }

  #takeOrLose(response: WatchResponse): void {
    try {
      this.#take(response)
    } catch (error) {
      this.#lose(error)
    }
  }

  #take(response: WatchResponse): void {
    const { created, canceled, compactRevision, cancelReason, events, header } = response
    if (canceled) {
      if (toNumber(compactRevision) > 0) return this.#beginAnew()
      throw new Error(`the watch was cancelled: ${cancelReason}`)
    }
    if (created) return this.#follows()
    if (events.length > 0) this.#apply(events)
    else if (this.#isTrusted) this.#options.image.advance(toNumber(header.revision))
    this.#options.image.tell()
  }

  #follows(): void {
    this.#lostAt = 0
    if (this.#options.image.isAwaited) this.#ask()
  }

  #apply(events: readonly Event[]): void {
    const { image, space, onChanges } = this.#options
    const changes: Change[] = []
    let reached = image.revision
    for (const { type, kv } of events) {
      const revision = toNumber(kv.modRevision)
      if (revision <= image.revision) continue
      reached = revision
      const key = space.objectKey(kv.key)
      if (key === undefined) {
        const guard = space.guardName(kv.key)
        if (guard !== undefined) image.putGuard(guard, revision)
        continue
      }
      const change =
        type === deletion ? image.remove(key, revision) : image.put(space.stored(key, kv))
      if (change !== undefined) changes.push(change)
    }
    image.advance(reached)
    if (changes.length > 0) onChanges(changes)
  }

  /** Restarts from a list, because etcd has compacted the missed changes. */
  #beginAnew(): void {
    this.#drop()
    this.#connecting = this.#loadAnew().catch((error: unknown) => this.#lose(error))
  }

  async #loadAnew(): Promise<void> {
    const { client, space, image, onChanges } = this.#options
    const { objects, revision, guards } = await loadObjects(client, space)
    if (this.#isStopped) return
    const changes = image.become(objects, revision, guards)
    image.noteCompacted(revision)
    if (changes.length > 0) onChanges(changes)
    image.tell()
    await this.#connect()
  }

  #drop(): void {
    const stream = this.#stream
    this.#stream = undefined
    stream?.cancel()
  }

  #lose(error: unknown): void {
    if (this.#isStopped || this.#timer !== undefined) return
    const { clock, client, image, onLost } = this.#options
    this.#drop()
    const now = clock.now()
    if (this.#lostAt === 0) this.#lostAt = now
    const lostMs = now - this.#lostAt
    if (lostMs > 0) client.turnAway()
    if (lostMs > patienceMs) {
      image.abandon(new StorageError('Unavailable', 'etcd cannot be followed', { cause: error }))
    }
    onLost(error)
    this.#timer = clock.setTimer(
      () => {
        this.#timer = undefined
        this.#connecting = this.#connect().catch((failure: unknown) => this.#lose(failure))
      },
      Math.min(longestDelayMs, Math.max(firstDelayMs, lostMs)),
    )
  }

  /** Requests the progress of the watch repeatedly: etcd does not respond while it is behind. */
  #ask(): void {
    if (this.#asking !== undefined || this.#isStopped) return
    const { clock, image } = this.#options
    this.#askOnce()
    this.#asking = clock.setTimer(() => {
      this.#asking = undefined
      if (image.isAwaited) this.#ask()
    }, askAgainMs)
  }

  #askOnce(): void {
    const { client, space } = this.#options
    if (this.#stream === undefined) return
    if (this.#isTrusted) {
      this.#stream.write({ progressRequest: {} })
      return
    }
    const put = { requestPut: { key: space.mark, value: Buffer.of() } }
    // The end of the watch and the next attempt report a failure to waiters.
    void client.txn({ compare: [], success: [put], failure: [] }).catch(() => undefined)
  }
}
