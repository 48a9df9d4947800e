import { encodeContinue } from '../../meta/continueToken.ts'
import type { CacheSnapshot } from '../../watch/cacheSnapshot.ts'
import type { Entry } from '../../watch/entry.ts'
import type { Selection } from '../../watch/watchFilter.ts'

/** Nothing that a page gives changes with what is written after its revision, however late it is asked for. */
export interface ListPage {
  /** The revision the page is consistent at; undefined: no store stands behind it. */
  revision: number | undefined
  /** Absent on the last page. */
  continueToken?: string
  remainingItemCount?: number
  /** The page's objects, in key order. */
  entries(): Iterable<Entry>
  /** The list items as they stand between the brackets, in buffers to be joined by commas. */
  items(): Buffer[]
}

/** What of the selected a list holds. */
export interface ListSelection extends Selection {
  /** Absent: all. */
  shows?: (entry: Entry) => boolean
}

export interface PageBounds {
  /** At most so many objects; 0: all. */
  limit: number
  /** The first key that the page may hold. */
  start: string
}

/** Objects of one state, of which a page is a part. */
export interface PageSource {
  revision: number
  /** The selected and shown ones from the page's start on, in key order. */
  entries: Iterable<Entry>
  /** How many objects there are from the page's start on, selected or not. */
  count: () => number
  /** Whether there are objects behind a key, selected or not. */
  hasAfter: (key: string) => boolean
  /** The list items of the page, which holds these entries. */
  items: (entries: readonly Entry[]) => Buffer[]
}

/** The state of a snapshot from `start` on. */
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

/** Every object under the prefix is in the list. */
export function isOpen({ labels, fields, shows }: ListSelection): boolean {
  return labels === undefined && fields === undefined && shows === undefined
}

/** As many of the source's objects as the limit allows, and how to go on. */
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
    // What is not selected is more, too; but nobody is told of what is not shown.
    if (entries.length === limit && shows === undefined) {
      return { entries, hasMore: hasAfter(entry.key) }
    }
  }
  return { entries, hasMore: false }
}
