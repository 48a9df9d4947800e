import type { Sealing } from '../../encryption/sealing.ts'
import type { Change, ChangePage, KeyRange, StoredValue } from '../../storage.ts'
import { compareKeys } from '../../objects/compareKeys.ts'
import { refuseCompacted, refuseUnreadable } from '../../objects/readable.ts'
import type { Database } from '../format/database.ts'
import type { Image } from './image.ts'
import { OldValues, type Place } from './oldValues.ts'

/**
 * Page size in bytes; the change that exceeds it is the last. Objects may have megabytes, and pages
 * are in memory until their readers are done.
 */
const pageBytes = 1024 * 1024
/** Changes read in the first step; each further step doubles. The size of changes is unknown before they are read. */
const firstAtOnce = 16

/** The location of a change and of the value that it replaced. */
interface WantedChange {
  own: Place
  previous: Place
}

/**
 * The past, read from log and checkpoint. A call copies what it needs from memory in one synchronous turn, so writes
 * that commit while it reads do not interfere. If compaction overtakes it, it starts over, or fails with Compacted.
 */
export class History {
  readonly #image: Image
  readonly #sealing: Sealing
  readonly #values: OldValues

  constructor(database: Database, image: Image, sealing: Sealing) {
    this.#image = image
    this.#sealing = sealing
    this.#values = new OldValues(database, image, sealing)
  }

  /** Reports whether the newest value of a key would now be stored differently. */
  isStale(key: string): Promise<boolean> {
    return this.#values.retrying(async () => {
      const { revision } = this.#image.get(key) ?? { revision: 0 }
      const found = await this.#values.readStored([this.#values.placeOf(key, revision)])
      const stored = found.get(revision)
      if (stored === undefined) return false
      await this.#sealing.prepare([stored.value])
      return this.#sealing.isStale(key, stored.value)
    })
  }

  /** @throws StorageError Compacted when not all changes after `since` are kept. */
  changes(prefix: string, since: number, limit: number): Promise<ChangePage> {
    return this.#values.retrying(async () => {
      this.refuseCompacted(since)
      const { history, revision: newest } = this.#image
      const { revisions, more } = history.matching(prefix, since, limit)
      const wanted = revisions.map((revision) => {
        const key = history.key(revision) ?? ''
        return {
          own: this.#values.placeOf(key, revision),
          previous: this.#values.placeOf(key, history.previous(revision)),
        }
      })
      const changes = await this.#read(wanted)
      const isWhole = !more && changes.length === wanted.length
      return {
        changes,
        revision: isWhole ? Math.max(since, newest) : (changes.at(-1)?.revision ?? since),
        more: !isWhole,
      }
    })
  }

  /** The first of the wanted changes, up to a page. */
  async #read(wanted: readonly WantedChange[]): Promise<Change[]> {
    const changes: Change[] = []
    let bytes = 0
    for (let [at, atOnce] = [0, firstAtOnce]; at < wanted.length; at += atOnce, atOnce *= 2) {
      const some = wanted.slice(at, at + atOnce)
      const read = await this.#values.read(some.flatMap(({ own, previous }) => [own, previous]))
      for (const { own, previous: place } of some) {
        const { key, revision } = own
        const [value, previous] = [read.get(revision)?.value, valueAt(read, place)]
        changes.push({ key, revision, value, previous })
        bytes += (value?.length ?? 0) + (previous?.value.length ?? 0)
        if (bytes >= pageBytes) return changes
      }
    }
    return changes
  }

  /** The value of `key` at `revision`. @throws StorageError Compacted, FutureRevision. */
  get(key: string, revision: number): Promise<StoredValue | undefined> {
    return this.#values.retrying(async () => {
      this.refuseUnreadable(revision)
      const { history } = this.#image
      const first = history.firstOf(key, revision)
      if (first === 0) return this.#image.get(key)
      const place = this.#values.placeOf(key, history.previous(first))
      return valueAt(await this.#values.read([place]), place)
    })
  }

  /**
   * Values of `range` at `revision`, in key order, at most `limit`; 0: all. Keys not written since come from memory;
   * for the others, the value that the first write since then replaced.
   * @throws StorageError Compacted, FutureRevision.
   */
  list(range: KeyRange, revision: number, limit: number): Promise<StoredValue[]> {
    return this.#values.retrying(async () => {
      this.refuseUnreadable(revision)
      const { history } = this.#image
      const written = history.firstAfter(range.prefix, revision)
      const unwritten = this.#image.collect(range, limit, (key) => !written.has(key))
      const last = limit > 0 && unwritten.length === limit ? unwritten.at(-1)?.key : undefined
      const places: Place[] = []
      for (const [key, first] of written) {
        const previous = history.previous(first)
        if (previous > 0 && isWithin(key, range.start, last))
          places.push(this.#values.placeOf(key, previous))
      }
      // Only as much as fits the page is read.
      const needed = limit > 0 ? firstOf(places, limit) : places
      const read = await this.#values.read(needed)
      const replaced = needed.flatMap((place) => valueAt(read, place) ?? [])
      const items = [...unwritten, ...replaced].sort((a, b) => compareKeys(a.key, b.key))
      return limit > 0 ? items.slice(0, limit) : items
    })
  }

  refuseCompacted(since: number): void {
    refuseCompacted(this.#image, since)
  }

  refuseUnreadable(revision: number): void {
    refuseUnreadable(this.#image, revision)
  }
}

function valueAt(
  read: ReadonlyMap<number, StoredValue>,
  { revision }: Place,
): StoredValue | undefined {
  return revision === 0 ? undefined : read.get(revision)
}

/** The first `limit` places in key order. */
function firstOf(places: readonly Place[], limit: number): Place[] {
  return [...places].sort((a, b) => compareKeys(a.key, b.key)).slice(0, limit)
}

function isWithin(key: string, start: string | undefined, last: string | undefined): boolean {
  if (start !== undefined && compareKeys(key, start) < 0) return false
  return last === undefined || compareKeys(key, last) <= 0
}
