import { isRevisionConflict } from '../registry/storageErrors.ts'
import type { Storage, StoredValue } from '../storage/storage.ts'
import { StorageError } from '../storage/errors.ts'

/** Keys of all planes but the management API begin with this, then the uid of the object that brings the plane: one that
 *  is made anew under the same name has nothing of the one before. */
const root = '/planes/'
const keysAtOnce = 500

export function planeKeyPrefix(uid: string): string {
  return `${root}${uid}/`
}

export interface PlaneRemovalOptions {
  storage: Storage
  /** Removes what a plane left elsewhere, while its own keys are still there. Where that fails they stay, so that the next
   *  start tries again. */
  before: (uid: string) => Promise<void>
  report: (error: unknown) => void
}

/** Removes what planes leave in storage when they are gone, in pages, in the background. What a crash leaves over is found
 *  at the next start: nothing has to be remembered. */
export class PlaneRemoval {
  readonly #options: PlaneRemovalOptions
  #last: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: PlaneRemovalOptions) {
    this.#options = options
  }

  /** Removes the objects of a plane, after those that wait. */
  remove(uid: string): void {
    this.#next(() => this.#removePlane(uid))
  }

  /** Removes the planes of objects that are no more, then hands over the uids of those that are stored and stay. `known`
   *  is asked once there is anything to compare with. */
  sweep(
    known: () => ReadonlySet<string>,
    onKept: (uids: ReadonlySet<string>) => Promise<void>,
  ): void {
    this.#next(async () => {
      const stored = await this.#storedUids()
      if (stored.length === 0 || this.#isStopped) return
      const uids = known()
      for (const uid of stored) if (!uids.has(uid)) await this.#removePlane(uid)
      await onKept(new Set(stored.filter((uid) => uids.has(uid))))
    })
  }

  /** Resolves when nothing is left to remove. */
  settled(): Promise<void> {
    return this.#last
  }

  stop(): void {
    this.#isStopped = true
  }

  #next(work: () => Promise<void>): void {
    this.#last = this.#last.then(work).catch((error: unknown) => {
      if (!this.#isStopped) this.#options.report(error)
    })
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

  async #removePlane(uid: string): Promise<void> {
    await this.#options.before(uid)
    await this.#removeAll(planeKeyPrefix(uid))
  }

  async #removeAll(prefix: string): Promise<void> {
    const { storage } = this.#options
    for (;;) {
      if (this.#isStopped) return
      const { items } = await storage.list({ prefix }, { limit: keysAtOnce })
      if (items.length === 0) return
      await Promise.all(items.map((item) => this.#removeOne(item)))
    }
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
