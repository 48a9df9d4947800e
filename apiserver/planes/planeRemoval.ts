import { WorkQueue } from '../runtime/workQueue.ts'
import { bounded } from '../meta/bounded.ts'
import type { Clock } from '../meta/clock.ts'
import { isRevisionConflict } from '../registry/storageErrors.ts'
import type { Storage, StoredValue } from '../storage/storage.ts'
import { StorageError } from '../storage/errors.ts'

/** Keys of all planes but the management API begin with this, then the uid of the object that brings the plane: one that
 *  is made anew under the same name has nothing of the one before. */
const root = '/planes/'
const keysAtOnce = 500
const planesAtOnce = 4
/** Of a page of keys. */
const pageMs = 30_000
/** A plane may have any number of objects. */
const planeMs = 600_000

export function planeKeyPrefix(uid: string): string {
  return `${root}${uid}/`
}

export interface PlaneRemovalOptions {
  storage: Storage
  clock: Clock
  /** Removes what a plane left elsewhere, while its own keys are still there. Where that fails they stay, and all is tried
   *  again, also by the next start. */
  before: (uid: string, signal: AbortSignal) => Promise<void>
  report: (error: unknown) => void
}

type Work = (signal: AbortSignal) => Promise<void>

/** Removes what planes leave in storage when they are gone, in pages, in the background, several side by side: one that
 *  cannot be removed is tried again, later each time, and delays no other. What a crash leaves over is found at the next
 *  start: nothing has to be remembered. */
export class PlaneRemoval {
  readonly #options: PlaneRemovalOptions
  readonly #queue: WorkQueue
  /** By the key in the queue: what has not been tried to its end yet. */
  readonly #left = new Map<string, Work>()
  /** Those among them whose first try is not over. */
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

  /** Removes the planes of objects that are no more, then hands over the uids of those that are stored and stay. `known`
   *  is asked once there is anything to compare with. */
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

  /** Resolves when nothing is left to remove that has not been tried. */
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

  /** One look per plane, however many objects each has. */
  async #storedUids(): Promise<string[]> {
    const uids: string[] = []
    let start = root
    for (;;) {
      const { items } = await this.#options.storage.list({ prefix: root, start }, { limit: 1 })
      const [uid] = items[0]?.key.slice(root.length).split('/') ?? []
      if (uid === undefined || this.#isStopped) return uids
      uids.push(uid)
      // The first key after all that begin with the uid and a slash.
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

  /** @returns whether there was nothing left. */
  async #removePage(prefix: string): Promise<boolean> {
    const { items } = await this.#options.storage.list({ prefix }, { limit: keysAtOnce })
    await Promise.all(items.map((item) => this.#removeOne(item)))
    return items.length === 0
  }

  /** A write that was on its way when the plane was closed may be first; the next page has it. */
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
