import { groupBy } from '../../../meta/collections/groupBy.ts'
import { StorageError } from '../../errors.ts'
import type { Sealing } from '../../encryption/sealing.ts'
import type { StoredValue } from '../../storage.ts'
import type { Database } from '../format/database.ts'
import type { Image } from './image.ts'
import { Readers } from './readers.ts'
import * as records from '../format/records.ts'

/** The location of the value of a write. */
export interface Place {
  key: string
  /** 0: there is no such value. */
  revision: number
  /** The first revision of its log record; 0: the value is in the checkpoint. */
  record: number
}

/** Thrown if a location that a plan relied on is gone. */
class Overtaken extends Error {}

/** Checkpoint objects read together. */
const fetchObjects = 500
/** Log records read and held in memory together. */
const fetchRecords = 16
/** Maximum number of concurrent disk reads. */
const maxReaders = 4

/** Values other than the newest, from log and checkpoint. */
export class OldValues {
  readonly #database: Database
  readonly #image: Image
  readonly #sealing: Sealing
  readonly #readers = new Readers(maxReaders)

  constructor(database: Database, image: Image, sealing: Sealing) {
    this.#database = database
    this.#image = image
    this.#sealing = sealing
  }

  /**
   * Runs `work`, which plans and reads, and runs it again if the checkpoint moved in between.
   * @throws StorageError Corrupt if something is missing although nothing moved.
   */
  async retrying<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      const { checkpoint } = this.#image.mark
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error
        await this.#image.settledCheckpoint()
        if (this.#image.mark.checkpoint === checkpoint) {
          throw new StorageError('Corrupt', `the storage is damaged: ${error.message}`)
        }
      }
    }
  }

  placeOf(key: string, revision: number): Place {
    return { key, revision, record: this.#image.history.recordOf(revision) }
  }

  /** The values by revision; deletions are absent. @throws StorageError Sealed. */
  async read(places: readonly Place[]): Promise<Map<number, StoredValue>> {
    const found = await this.readStored(places)
    const preparing = this.#sealing.prepare(valuesOf(found))
    if (preparing !== undefined) await preparing
    for (const [revision, stored] of found) {
      const value = this.#sealing.open(stored.key, stored.value)
      if (value !== stored.value) found.set(revision, { ...stored, value })
    }
    return found
  }

  /** Values by revision, with the bytes as they are on disk. */
  readStored(places: readonly Place[]): Promise<Map<number, StoredValue>> {
    return this.#readers.run(() => this.#readAll(places))
  }

  async #readAll(places: readonly Place[]): Promise<Map<number, StoredValue>> {
    const found = new Map<number, StoredValue>()
    const wanted = places.filter(({ revision }) => revision > 0)
    await this.#fromCheckpoint(
      wanted.filter(({ record }) => record === 0),
      found,
    )
    await this.#fromLog(
      wanted.filter(({ record }) => record > 0),
      found,
    )
    return found
  }

  async #fromCheckpoint(places: readonly Place[], found: Map<number, StoredValue>): Promise<void> {
    const keyOf = ({ key }: Place) => records.checkpointPrefix + key
    await this.#readEach(places, { keyOf, atOnce: fetchObjects }, ({ key, revision }, bytes) => {
      const stored = bytes && records.decodeObject(key, bytes)
      if (stored?.revision !== revision)
        throw new Overtaken(`the value of revision ${revision} is missing`)
      found.set(revision, stored)
    })
  }

  async #fromLog(places: readonly Place[], found: Map<number, StoredValue>): Promise<void> {
    const byRecord = [...groupBy(places, ({ record }) => record)]
    const keyOf = ([first]: [number, Place[]]) => records.logKey(first)
    await this.#readEach(byRecord, { keyOf, atOnce: fetchRecords }, ([first, wanted], bytes) => {
      const { writes } = decoded(first, bytes)
      for (const { key, revision } of wanted) {
        const write = writes[revision - first]
        if (write?.key !== key) throw new Overtaken(`log record ${first} is not what was written`)
        // Copied: a slice would keep the whole record in memory.
        const value = write.value && Buffer.from(write.value)
        if (value !== undefined) found.set(revision, { key, revision, value })
      }
    })
  }

  /**
   * Passes each item with the bytes on disk under its key to `take`. At most `atOnce` items are
   * read and held together.
   */
  async #readEach<Item>(
    items: readonly Item[],
    { keyOf, atOnce }: { keyOf: (item: Item) => string; atOnce: number },
    take: (item: Item, bytes: Buffer | undefined) => void,
  ): Promise<void> {
    for (let at = 0; at < items.length; at += atOnce) {
      const some = items.slice(at, at + atOnce)
      const fetched = await this.#fetch(some.map(keyOf))
      for (const [index, item] of some.entries()) take(item, fetched[index])
    }
  }

  async #fetch(keys: string[]): Promise<(Buffer | undefined)[]> {
    try {
      return await this.#database.getMany(keys)
    } catch (cause) {
      throw new StorageError('Unavailable', 'the history cannot be read', { cause })
    }
  }
}

function* valuesOf(found: ReadonlyMap<number, StoredValue>): Generator<Buffer> {
  for (const { value } of found.values()) yield value
}

function decoded(first: number, record: Buffer | undefined): records.LogRecord {
  if (record === undefined) throw new Overtaken(`log record ${first} is missing`)
  const log = records.decodeLog(record)
  if (log === undefined) {
    throw new StorageError(
      'Corrupt',
      `the storage is damaged: log record ${first} fails its checksum`,
    )
  }
  return log
}
