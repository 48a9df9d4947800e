import { StorageError } from '../../../apiserver/storage/errors.ts'
import type * as contract from '../../../apiserver/storage/storage.ts'

/**
 * Storage whose revisions begin at 0 when it is created, so that the suite finds the expected
 * numbers. It also rewrites the revisions in values written by `template`.
 */
export class RelativeStorage implements contract.Storage {
  readonly isShared = true
  readonly #storage: contract.Storage
  readonly #base: number

  constructor(storage: contract.Storage) {
    this.#storage = storage
    this.#base = storage.revision
  }

  get revision(): number {
    return this.#relative(this.#storage.revision)
  }

  get takenBack(): number {
    return this.#storage.takenBack
  }

  get compactedRevision(): number {
    return this.#relative(this.#storage.compactedRevision)
  }

  create(
    key: string,
    value: contract.ValueTemplate,
    guard?: contract.Guard,
  ): Promise<contract.StoredValue> {
    return this.#calling(async () => this.#shown(await this.#storage.create(key, value, guard)))
  }

  update(
    key: string,
    value: contract.ValueTemplate,
    expected: number,
    guard?: contract.Guard,
  ): Promise<contract.StoredValue> {
    const wanted = expected + this.#base
    return this.#calling(async () =>
      this.#shown(await this.#storage.update(key, value, wanted, guard)),
    )
  }

  delete(key: string, expected: number): Promise<number> {
    const wanted = expected + this.#base
    return this.#calling(async () => this.#relative(await this.#storage.delete(key, wanted)))
  }

  newest(key: string): contract.StoredValue | undefined {
    const stored = this.#storage.newest(key)
    return stored && this.#shown(stored)
  }

  pendingRevision(key?: string): number {
    return this.#relative(this.#storage.pendingRevision(key))
  }

  settled(revision: number): Promise<void> {
    return this.#calling(() => this.#storage.settled(revision + this.#base))
  }

  together<T>(work: () => T): T {
    return this.#storage.together(work)
  }

  guard(name: string): contract.Guard | undefined {
    return this.#storage.guard(name)
  }

  isStale(key: string): Promise<boolean> | undefined {
    return this.#storage.isStale(key)
  }

  reachNewest(): Promise<void> | undefined {
    return this.#storage.reachNewest()
  }

  get(key: string, options?: contract.ReadOptions): Promise<contract.StoredValue | undefined> {
    return this.#calling(async () => {
      const stored = await this.#storage.get(key, this.#absolute(options))
      return stored && this.#shown(stored)
    })
  }

  list(range: contract.KeyRange, options?: contract.ListOptions): Promise<contract.ListResult> {
    return this.#calling(async () => {
      const { items, revision, more } = await this.#storage.list(range, this.#absolute(options))
      const shown = items.map((stored) => this.#shown(stored))
      return { items: shown, revision: this.#relative(revision), more }
    })
  }

  watch(
    prefix: string,
    since: number,
    listener: (changes: readonly contract.Change[]) => void,
  ): Promise<contract.Subscription> {
    return this.#calling(() =>
      this.#storage.watch(prefix, since + this.#base, (changes) =>
        listener(changes.map((change) => this.#change(change))),
      ),
    )
  }

  changes(prefix: string, since: number, limit: number): Promise<contract.ChangePage> {
    return this.#calling(async () => {
      const page = await this.#storage.changes(prefix, since + this.#base, limit)
      const { revision, more } = page
      const changes = page.changes.map((change) => this.#change(change))
      return { changes, revision: this.#relative(revision), more }
    })
  }

  compact(revision: number): Promise<void> {
    return this.#calling(() => this.#storage.compact(revision + this.#base))
  }

  ready(): void {
    this.#storage.ready()
  }

  close(): Promise<void> {
    return this.#storage.close()
  }

  #relative(revision: number): number {
    return Math.max(0, revision - this.#base)
  }

  #absolute<O extends contract.ReadOptions>(options?: O): O | undefined {
    if (options?.revision === undefined) return options
    return { ...options, revision: options.revision + this.#base }
  }

  #value(value: Buffer): Buffer {
    const shift = (_: string, before: string, digits: string, after: string) =>
      `${before}${Number(digits) - this.#base}${after}`
    return Buffer.from(value.toString().replace(/(@|"rv":")(\d+)(!|")/, shift))
  }

  #shown({ key, revision, value }: contract.StoredValue): contract.StoredValue {
    return { key, revision: this.#relative(revision), value: this.#value(value) }
  }

  #change({ key, revision, value, previous }: contract.Change): contract.Change {
    return {
      key,
      revision: this.#relative(revision),
      value: value && this.#value(value),
      previous: previous && this.#shown(previous),
    }
  }

  async #calling<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof StorageError) || error.revision === undefined) throw error
      const { code, message, key, revision, cause } = error
      const shifted = { revision: this.#relative(revision), cause }
      throw new StorageError(code, message, key === undefined ? shifted : { ...shifted, key })
    }
  }
}
