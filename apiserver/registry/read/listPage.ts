import { encodeContinue } from '../../meta/continueToken.ts'
import type { CacheSnapshot } from '../../watch/cacheSnapshot.ts'
import type { Entry } from '../../watch/cacheEntry.ts'
import type { Selection } from '../../watch/watchFilter.ts'

/** A page of a list. It is unaffected by writes after its revision, however late it is read. */
export interface ListPage {
  /** The revision at which the page is consistent; undefined: the objects are not stored. */
  revision: number | undefined
  /** Absent on the last page. */
  continueToken?: string
  remainingItemCount?: number
  /** The page's objects, in key order. */
  entries(): Iterable<Entry>
  /** The list items, in buffers to be joined by commas. */
  items(): Buffer[]
}

/** Resolves when the next turn of long work may begin. @throws StatusError 504 if the client no longer waits. */
export type NextTurn = () => Promise<unknown>

/** The selection of a list, restricted to visible objects. */
export interface ListSelection extends Selection {
  /** Absent: all. */
  shows?: (entry: Entry) => boolean
  /** The next turn of selecting, which may decode every object. */
  nextTurn: NextTurn
}

export interface PageBounds {
  /** Maximum number of objects; 0: all. */
  limit: number
  /** The first possible key of the page. */
  start: string
}

/** Objects of one state from which pages are created. */
export interface PageSource {
  revision: number
  /** Selected and visible entries at or after the page's start, in key order. */
  entries: Iterable<Entry>
  /** Number of objects at or after the page's start, selected or not. */
  count: () => number
  /** Reports whether there are objects after a key, selected or not. */
  hasAfter: (key: string) => boolean
  /** The list items of the page's entries. */
  items: (entries: readonly Entry[]) => Buffer[]
}

/** The objects of a snapshot at or after `start`. */
export function snapshotSource(
  snapshot: CacheSnapshot,
  selection: ListSelection,
  { start, limit, revision }: PageBounds & { revision: number },
): PageSource {
  const { keyPrefix, shows } = selection
  const selected = isOpen(selection)
    ? snapshot.first(keyPrefix, start, limit)
    : snapshot.select(selection, start)
  const joined = (entries: readonly Entry[]) =>
    snapshot.pageSegments(start, entries.at(-1)?.key ?? start)
  return {
    revision,
    entries: shows === undefined ? selected : shown(selected, shows),
    count: () => snapshot.countFrom(keyPrefix, start),
    hasAfter: (key) => snapshot.hasAfter(keyPrefix, key),
    items: isOpen(selection) ? joined : (entries) => snapshot.items(entries),
  }
}

function* shown(entries: Iterable<Entry>, shows: (entry: Entry) => boolean): Iterable<Entry> {
  for (const entry of entries) if (shows(entry)) yield entry
}

/** Reports whether the list contains every object under the prefix. */
export function isOpen({ labels, fields, shows }: ListSelection): boolean {
  return labels === undefined && fields === undefined && shows === undefined
}

/** First objects of a source, up to the limit, with the continue token. */
export function pageOf(source: PageSource, selection: ListSelection, limit: number): ListPage {
  const { revision, items } = source
  const { entries, hasMore } = firstOf(source, selection, limit)
  const page: ListPage = { revision, entries: () => entries, items: () => items(entries) }
  const last = entries.at(-1)
  if (!hasMore || last === undefined) return page
  const start = `${last.key.slice(selection.keyPrefix.length)}\0`
  page.continueToken = encodeContinue({ revision, start })
  if (isOpen(selection)) page.remainingItemCount = source.count() - limit
  return page
}

function firstOf(
  { entries: all, hasAfter }: PageSource,
  { shows }: ListSelection,
  limit: number,
): { entries: Entry[]; hasMore: boolean } {
  const entries: Entry[] = []
  for (const entry of all) {
    if (limit > 0 && entries.length === limit) return { entries, hasMore: true }
    entries.push(entry)
    // Unselected objects also count as remaining, but invisible ones must not be revealed.
    if (entries.length === limit && shows === undefined) {
      return { entries, hasMore: hasAfter(entry.key) }
    }
  }
  return { entries, hasMore: false }
}
