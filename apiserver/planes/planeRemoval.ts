import { WorkQueue } from '../runtime/workQueue.ts'
import { bounded } from '../meta/waiting/bounded.ts'
import type { Clock } from '../meta/clock.ts'
import { isRevisionConflict } from '../registry/storageErrors.ts'
import type { Storage, StoredValue } from '../storage/storage.ts'
import { StorageError } from '../storage/errors.ts'

/**
 * Key prefix of all planes except the management API, followed by the uid of the plane's object: an object created
 * again under the same name does not inherit anything.
 */
export const planesPrefix = '/planes/'
const root = planesPrefix
const keysAtOnce = 500
const planesAtOnce = 4
/** Time limit of a page of keys. */
const pageMs = 30_000
/** Time limit of a plane, which may have any number of objects. */
const planeMs = 600_000

export function planeKeyPrefix(uid: string): string {
  return `${root}${uid}/`
}

/** The uid in a key with the prefix of a plane. */
export function uidOf(key: string): string {
  return key.slice(root.length, key.indexOf('/', root.length))
}

export interface PlaneRemovalOptions {
  storage: Storage
  clock: Clock
  /**
   * Removes the traces of a plane elsewhere, while its own keys still exist. If that fails, the
   * keys stay, and everything is retried, even after a restart.
   */
  before: (uid: string, signal: AbortSignal) => Promise<void>
  report: (error: unknown) => void
}

type Work = (signal: AbortSignal) => Promise<void>

/**
 * Removes the storage of deleted planes in pages, in the background, several concurrently: failures are retried with
 * backoff, and delay no other plane. Leftovers of a crash are found at the next start, so nothing has to be recorded.
 */
export class PlaneRemoval {
  readonly #options: PlaneRemovalOptions
  readonly #queue: WorkQueue
  /** Unfinished work by its key in the queue. */
  readonly #left = new Map<string, Work>()
  /** Keys with an unfinished first attempt. */
  readonly #untried = new Set<string>()
  #waiting: (() => void)[] = []
  #isStopped = false

  constructor(options: PlaneRemovalOptions) {
    this.#options = options
    const { clock } = options
    this.#queue = new WorkQueue({
      clock,
      concurrency: planesAtOnce,
      deadlineMs: planeMs,
      work: (key, signal) => this.#work(key, signal),
      report: (error) => {
        if (!this.#isStopped) options.report(error)
      },
    })
  }

  /** Removes the objects of a plane. */
  remove(uid: string): void {
    this.#add(uid, (signal) => this.#removePlane(uid, signal))
  }

  /**
   * Removes the planes of deleted objects, then passes the uids of the remaining ones to `onKept`. `known` is only
   * called if there are stored planes to compare.
   */
  sweep(
    known: () => ReadonlySet<string>,
    onKept: (uids: ReadonlySet<string>, signal: AbortSignal) => Promise<void>,
  ): void {
    this.#add('the planes that a crash left over', async (signal) => {
      const stored = await this.#storedUids()
      if (stored.length === 0 || this.#isStopped) return
      const uids = known()
      for (const uid of stored) if (!uids.has(uid)) this.remove(uid)
      await onKept(new Set(stored.filter((uid) => uids.has(uid))), signal)
    })
  }

  /** Resolves when everything was attempted at least once. */
  async settled(): Promise<void> {
    if (this.#untried.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  stop(): void {
    this.#isStopped = true
    this.#queue.stop()
    this.#untried.clear()
    this.#wake()
  }

  #add(key: string, work: Work): void {
    if (this.#isStopped) return
    this.#left.set(key, work)
    this.#untried.add(key)
    this.#queue.add(key)
  }

  async #work(key: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#left.get(key)?.(signal)
      this.#left.delete(key)
    } finally {
      this.#untried.delete(key)
      if (this.#untried.size === 0) this.#wake()
    }
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }

  /** The stored uids, with one read per plane, however many objects each has. */
  async #storedUids(): Promise<string[]> {
    const uids: string[] = []
    let start = root
    for (;;) {
      const { items } = await this.#options.storage.list({ prefix: root, start }, { limit: 1 })
      const [uid] = items[0]?.key.slice(root.length).split('/') ?? []
      if (uid === undefined || this.#isStopped) return uids
      uids.push(uid)
      // The first key after all keys with the uid and a slash.
      start = `${root}${uid}0`
    }
  }

  async #removePlane(uid: string, signal: AbortSignal): Promise<void> {
    await this.#options.before(uid, signal)
    const what = `removing a page of the objects of the plane ${uid}`
    const bounds = { clock: this.#options.clock, ms: pageMs, what, signals: [signal] }
    while (!this.#isStopped) {
      if (await bounded(bounds, () => this.#removePage(planeKeyPrefix(uid)))) return
    }
  }

  /** Removes a page. @returns true if nothing is left. */
  async #removePage(prefix: string): Promise<boolean> {
    const { items } = await this.#options.storage.list({ prefix }, { limit: keysAtOnce })
    await Promise.all(items.map((item) => this.#removeOne(item)))
    return items.length === 0
  }

  /**
   * Removes one key. A write that was pending when the plane was closed may interfere; the next
   * page then finds its key.
   */
  async #removeOne({ key, revision }: StoredValue): Promise<void> {
    try {
      await this.#options.storage.delete(key, revision)
    } catch (error) {
      if (!isRevisionConflict(error) && !isGone(error)) throw error
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof StorageError && error.code === 'KeyNotFound'
}
