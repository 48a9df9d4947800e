import { StorageError } from '../errors.ts'
import type { Change, ChangePage, KeyRange, StoredValue } from '../storage.ts'
import { compareKeys } from './compareKeys.ts'
import type { Database } from './database.ts'
import type { Image } from './image.ts'
import { decodeHistory, historyKey, type HistoryRecord } from './records.ts'

const fetchCount = 500

type Fetched = ReadonlyMap<number, HistoryRecord>

/** The past, read from the history on disk. What a call needs from memory it takes in its first synchronous turn, so
 *  writes that commit while it reads do not mix in. Compaction may overtake it: then it ends with Compacted. */
export class History {
  readonly #database: Database
  readonly #image: Image

  constructor(database: Database, image: Image) {
    this.#database = database
    this.#image = image
  }

  /** @throws StorageError Compacted when not all changes after `since` are kept. */
  async changes(prefix: string, since: number, limit: number): Promise<ChangePage> {
    this.refuseCompacted(since)
    const { history, revision: newest } = this.#image
    const { revisions, more } = history.matching(prefix, since, limit)
    const wanted = revisions.map((revision) => {
      const key = history.key(revision) ?? ''
      return { key, revision, next: history.next(revision), live: this.#image.get(key) }
    })
    const successors = wanted.flatMap(({ next }) => (next === 0 ? [] : [next]))
    const fetched = await this.#fetch([...new Set([...revisions, ...successors])])
    const changes = wanted.map((change) => this.#change(change, fetched))
    const reached = more ? (revisions.at(-1) ?? since) : Math.max(since, newest)
    return { changes, revision: reached, more }
  }

  /** The value of `key` at `revision`. @throws StorageError Compacted, FutureRevision. */
  async get(key: string, revision: number): Promise<StoredValue | undefined> {
    this.refuseUnreadable(revision)
    const live = this.#image.get(key)
    const first = this.#image.history.firstOf(key, revision)
    if (first === 0) return live
    return (await this.#fetch([first])).get(first)?.previous
  }

  /** Values of `range` at `revision`, in key order, at most `limit`; 0: all. What was not written since is taken from
   *  memory, the rest is what its first write since has replaced.
   *  @throws StorageError Compacted, FutureRevision. */
  async list(range: KeyRange, revision: number, limit: number): Promise<StoredValue[]> {
    this.refuseUnreadable(revision)
    const written = this.#image.history.firstAfter(range.prefix, revision)
    const unwritten = this.#image.collect(range, limit, (key) => !written.has(key))
    const last = limit > 0 && unwritten.length === limit ? unwritten.at(-1)?.key : undefined
    const revisions: number[] = []
    for (const [key, first] of written) {
      if (isWithin(key, range.start, last)) revisions.push(first)
    }
    const fetched = await this.#fetch(revisions)
    const replaced = [...fetched.values()].flatMap((record) => record.previous ?? [])
    const items = [...unwritten, ...replaced].sort((a, b) => compareKeys(a.key, b.key))
    return limit > 0 ? items.slice(0, limit) : items
  }

  refuseCompacted(since: number): void {
    const { compacted } = this.#image
    if (since >= compacted) return
    const message = `revision ${since} is compacted, the oldest readable one is ${compacted}`
    throw new StorageError('Compacted', message, { revision: compacted })
  }

  refuseUnreadable(revision: number): void {
    this.refuseCompacted(revision)
    const newest = this.#image.revision
    if (revision <= newest) return
    const message = `revision ${revision} is not written yet, the newest one is ${newest}`
    throw new StorageError('FutureRevision', message, { revision: newest })
  }

  #change(
    wanted: { key: string; revision: number; next: number; live: StoredValue | undefined },
    fetched: Fetched,
  ): Change {
    const { key, revision, next, live } = wanted
    const record = fetched.get(revision)
    if (record?.kind === 'delete') {
      return { key, revision, value: undefined, previous: record.previous }
    }
    const stored = next === 0 ? live : fetched.get(next)?.previous
    if (stored?.revision !== revision) throw damaged(`the value of revision ${revision} is missing`)
    return { key, revision, value: stored.value, previous: record?.previous }
  }

  async #fetch(revisions: readonly number[]): Promise<Fetched> {
    const found = new Map<number, HistoryRecord>()
    for (let at = 0; at < revisions.length; at += fetchCount) {
      const slice = revisions.slice(at, at + fetchCount)
      const read = await this.#read(slice)
      slice.forEach((revision, i) => found.set(revision, this.#decode(revision, read[i])))
    }
    return found
  }

  async #read(revisions: readonly number[]): Promise<(Buffer | undefined)[]> {
    try {
      return await this.#database.getMany(revisions.map(historyKey))
    } catch (cause) {
      throw new StorageError('Unavailable', 'the history cannot be read', { cause })
    }
  }

  #decode(revision: number, read: Buffer | undefined): HistoryRecord {
    if (read === undefined) {
      this.refuseCompacted(revision - 1)
      throw damaged(`history record ${revision} is missing`)
    }
    const record = decodeHistory(read)
    if (record === undefined) throw damaged(`history record ${revision} fails its checksum`)
    return record
  }
}

function isWithin(key: string, start: string | undefined, last: string | undefined): boolean {
  if (start !== undefined && compareKeys(key, start) < 0) return false
  return last === undefined || compareKeys(key, last) <= 0
}

function damaged(what: string): StorageError {
  return new StorageError('Corrupt', `the storage is damaged: ${what}`)
}
