import type { Clock } from '../../meta/clock.ts'
import { StorageError } from '../errors.ts'
import { refuseCompacted, refuseUnreadable } from '../objects/readable.ts'
import type { ChangePage, KeyRange, StoredValue } from '../storage.ts'
import { CallError, isCompacted, toStorageError } from './callErrors.ts'
import type { EtcdClient } from './etcdClient.ts'
import type { EtcdImage } from './etcdImage.ts'
import type { KeySpace } from './keySpace.ts'
import type { RangeRequest } from './messages.ts'
import { PastChanges, type PastCompacted } from './pastChanges.ts'

const pageKeys = 500

export interface PastOptions {
  client: EtcdClient
  space: KeySpace
  image: EtcdImage
  clock: Clock
}

/** The past, read from etcd's own history. */
export class Past {
  readonly #client: EtcdClient
  readonly #space: KeySpace
  readonly #image: EtcdImage
  readonly #changes: PastChanges

  constructor({ client, space, image, clock }: PastOptions) {
    this.#client = client
    this.#space = space
    this.#image = image
    this.#changes = new PastChanges(client, space, clock)
  }

  /** The value of `key` at `revision`. @throws StorageError Compacted, FutureRevision, Unavailable. */
  async get(key: string, revision: number): Promise<StoredValue | undefined> {
    refuseUnreadable(this.#image, revision)
    // For etcd, revision 0 means the newest.
    if (revision === 0) return undefined
    const { kvs } = await this.#reading(revision, () =>
      this.#client.range({ key: this.#space.key(key), revision }),
    )
    const [found] = kvs
    await this.#space.prepare(kvs)
    return found && this.#space.stored(key, found)
  }

  /** Values of `range` at `revision`, in key order, at most `limit`; 0: all.
   *  @throws StorageError Compacted, FutureRevision, Unavailable. */
  async list(range: KeyRange, revision: number, limit: number): Promise<StoredValue[]> {
    refuseUnreadable(this.#image, revision)
    const items: StoredValue[] = []
    if (revision === 0) return items
    const { key: first, rangeEnd } = this.#space.range(range.prefix, range.start)
    let key = first
    for (;;) {
      const left = limit === 0 ? pageKeys : Math.min(pageKeys, limit - items.length)
      const request: RangeRequest = { key, limit: left, revision }
      if (rangeEnd !== undefined) request.rangeEnd = rangeEnd
      if (Buffer.compare(key, rangeEnd ?? key) >= 0) return items
      const { kvs, more } = await this.#reading(revision, () => this.#client.range(request))
      await this.#space.prepare(kvs)
      for (const kv of kvs) {
        const name = this.#space.objectKey(kv.key)
        if (name !== undefined) items.push(this.#space.stored(name, kv))
      }
      const last = kvs.at(-1)
      if (!more || last === undefined || items.length === limit) return items
      key = Buffer.concat([last.key, Buffer.of(0)])
    }
  }

  /** Changes under a prefix after a revision. @throws StorageError Compacted, Unavailable. */
  async changes(prefix: string, since: number, limit: number): Promise<ChangePage> {
    refuseCompacted(this.#image, since)
    const { revision: until } = this.#image
    if (since >= until) return { changes: [], revision: since, more: false }
    try {
      const page = await this.#changes.read({ prefix, since, until, limit })
      if (!('compacted' in page)) return page
      throw this.#compacted(since, page)
    } catch (error) {
      throw toStorageError(error, 'the history cannot be read')
    }
  }

  #compacted(revision: number, { compacted }: PastCompacted): StorageError {
    this.#image.noteCompacted(compacted)
    const message = `revision ${revision} is compacted, the oldest readable one is ${compacted}`
    return new StorageError('Compacted', message, { revision: compacted })
  }

  async #reading<T>(revision: number, read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof CallError) || !isCompacted(error)) {
        throw toStorageError(error, 'the history cannot be read')
      }
      const asked = { prefix: '', since: 0, until: revision, limit: 1 }
      const page = await this.#changes.read(asked).catch(() => undefined)
      const compacted = page !== undefined && 'compacted' in page ? page.compacted : revision + 1
      throw this.#compacted(revision, { compacted })
    }
  }
}
