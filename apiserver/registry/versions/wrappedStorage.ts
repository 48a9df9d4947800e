import type { Guard, ReadOptions, Storage, StoredValue } from '../../storage/storage.ts'

/** Storage in terms of another version of a kind, independent of how values are converted. */
export abstract class WrappedStorage {
  protected readonly storage: Storage

  constructor(storage: Storage) {
    this.storage = storage
  }

  get isShared(): boolean {
    return this.storage.isShared
  }

  get revision(): number {
    return this.storage.revision
  }

  get takenBack(): number {
    return this.storage.takenBack
  }

  get compactedRevision(): number {
    return this.storage.compactedRevision
  }

  delete(key: string, expected: number): Promise<number> {
    return this.storage.delete(key, expected)
  }

  together<T>(work: () => T): T {
    return this.storage.together(work)
  }

  guard(name: string): Guard | undefined {
    return this.storage.guard(name)
  }

  isStale(key: string): Promise<boolean> | undefined {
    return this.storage.isStale(key)
  }

  pendingRevision(key?: string): number {
    return this.storage.pendingRevision(key)
  }

  settled(revision: number): Promise<void> {
    return this.storage.settled(revision)
  }

  reachNewest(): Promise<void> | undefined {
    return this.storage.reachNewest()
  }

  async get(key: string, options?: ReadOptions): Promise<StoredValue | undefined> {
    const stored = await this.storage.get(key, options)
    return stored && this.shown(stored)
  }

  compact(revision: number): Promise<void> {
    return this.storage.compact(revision)
  }

  ready(): void {
    this.storage.ready()
  }

  close(): Promise<void> {
    return this.storage.close()
  }

  /** A stored value in the other version. */
  protected abstract shown(stored: StoredValue): StoredValue | Promise<StoredValue>
}

/** The newest value of a key in another version; its revision and bytes may change when its write ends: see
 *  `Storage.newest`. */
export class NewestValue implements StoredValue {
  readonly #stored: StoredValue
  readonly #bytes: (stored: StoredValue) => Buffer

  constructor(stored: StoredValue, bytes: (stored: StoredValue) => Buffer) {
    this.#stored = stored
    this.#bytes = bytes
  }

  get key(): string {
    return this.#stored.key
  }

  get revision(): number {
    return this.#stored.revision
  }

  get value(): Buffer {
    return this.#bytes(this.#stored)
  }
}
