import { StorageError } from '../errors.ts'
import type { StoredValue } from '../storage.ts'
import type { Database } from './database.ts'
import type { Image } from './image.ts'
import * as records from './records.ts'

/** Where the value of one write stands. */
export interface Place {
  key: string
  /** 0: there is no such value. */
  revision: number
  /** The first revision of its log record; 0: it stands in the checkpoint. */
  record: number
}

/** Something a plan relied on is not there any more. */
class Overtaken extends Error {}

const fetchCount = 500

/** Values that are not the newest, from log and checkpoint. */
export class OldValues {
  readonly #database: Database
  readonly #image: Image

  constructor(database: Database, image: Image) {
    this.#database = database
    this.#image = image
  }

  /** Runs `work`, which plans and reads, and runs it again where the checkpoint moved between the two.
   *  @throws StorageError Corrupt where something is missing though nothing moved. */
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

  /** The values by revision; deletions have none. */
  async read(places: readonly Place[]): Promise<Map<number, StoredValue>> {
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
    const fetched = await this.#fetch(places.map(({ key }) => records.checkpointPrefix + key))
    places.forEach(({ key, revision }, index) => {
      const bytes = fetched[index]
      const stored = bytes && records.decodeObject(key, bytes)
      if (stored?.revision !== revision)
        throw new Overtaken(`the value of revision ${revision} is missing`)
      found.set(revision, stored)
    })
  }

  async #fromLog(places: readonly Place[], found: Map<number, StoredValue>): Promise<void> {
    const firsts = [...new Set(places.map(({ record }) => record))]
    const fetched = await this.#fetch(firsts.map(records.logKey))
    const byFirst = new Map(firsts.map((first, index) => [first, decoded(first, fetched[index])]))
    for (const { key, revision, record } of places) {
      const write = byFirst.get(record)?.writes[revision - record]
      if (write?.key !== key) throw new Overtaken(`log record ${record} is not what was written`)
      if (write.value !== undefined) found.set(revision, { key, revision, value: write.value })
    }
  }

  async #fetch(keys: string[]): Promise<(Buffer | undefined)[]> {
    const found: (Buffer | undefined)[] = []
    try {
      for (let at = 0; at < keys.length; at += fetchCount) {
        found.push(...(await this.#database.getMany(keys.slice(at, at + fetchCount))))
      }
      return found
    } catch (cause) {
      throw new StorageError('Unavailable', 'the history cannot be read', { cause })
    }
  }
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
