import { Objects } from '../objects/objects.ts'
import type { Change, StoredValue } from '../storage.ts'

interface Waiter {
  revision: number
  resolve: () => void
  reject: (error: Error) => void
}

/** Committed state, as received by the watch. */
export class EtcdImage {
  #objects = new Objects()
  #revision = 0
  /** Known compacted revision; etcd may have compacted more. */
  #compacted = 0
  #guards = new Map<string, number>()
  #waiters: Waiter[] = []

  get revision(): number {
    return this.#revision
  }

  get compacted(): number {
    return this.#compacted
  }

  get objects(): Objects {
    return this.#objects
  }

  /** True if a caller is waiting for a revision that has not arrived. */
  get isAwaited(): boolean {
    return this.#waiters.length > 0
  }

  /** Applies a whole state; returns the differences from the previous one. */
  become(objects: Objects, revision: number, guards: Map<string, number>): Change[] {
    const changes = [...replaced(this.#objects, objects), ...gone(this.#objects, objects, revision)]
    this.#objects = objects
    this.#guards = guards
    this.#revision = revision
    return changes.sort((a, b) => a.revision - b.revision)
  }

  /** Revision of a guard; 0: never written. */
  guard(name: string): number {
    return this.#guards.get(name) ?? 0
  }

  putGuard(name: string, revision: number): void {
    this.#guards.set(name, revision)
  }

  put(stored: StoredValue): Change {
    const { key, revision, value } = stored
    const previous = this.#objects.get(key)
    // All values of a key share one string.
    const known = previous?.key ?? key
    this.#objects.set({ key: known, revision, value })
    return { key: known, revision, value, previous }
  }

  /** Removes a value. Undefined: there was none. */
  remove(key: string, revision: number): Change | undefined {
    const previous = this.#objects.get(key)
    if (previous === undefined) return undefined
    this.#objects.delete(key)
    return { key: previous.key, revision, value: undefined, previous }
  }

  /** Marks everything up to `revision` as received. `tell` then notifies waiters. */
  advance(revision: number): void {
    this.#revision = Math.max(this.#revision, revision)
  }

  tell(): void {
    if (this.#waiters.length === 0) return
    const reached = this.#waiters.filter(({ revision }) => revision <= this.#revision)
    if (reached.length === 0) return
    this.#waiters = this.#waiters.filter(({ revision }) => revision > this.#revision)
    for (const { resolve } of reached) resolve()
  }

  noteCompacted(revision: number): void {
    this.#compacted = Math.max(this.#compacted, revision)
  }

  /** Rejects all waiters. */
  abandon(error: Error): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const { reject } of waiters) reject(error)
  }

  /** Resolves when a revision is received; undefined: already received. Rejects with the argument of `abandon`. */
  reaches(revision: number): Promise<void> | undefined {
    if (revision <= this.#revision) return undefined
    return new Promise((resolve, reject) => this.#waiters.push({ revision, resolve, reject }))
  }
}

function replaced(before: Objects, after: Objects): Change[] {
  return after.collect({ prefix: '' }, 0).flatMap(({ key, revision, value }) => {
    const previous = before.get(key)
    return previous?.revision === revision ? [] : [{ key, revision, value, previous }]
  })
}

/** Deletions between two states; the revisions at which they happened are unknown. */
function gone(before: Objects, after: Objects, revision: number): Change[] {
  return before.collect({ prefix: '' }, 0).flatMap((previous) => {
    const { key } = previous
    return after.get(key) === undefined ? [{ key, revision, value: undefined, previous }] : []
  })
}
