import { decodeContinue, encodeContinue } from '../meta/continueToken.ts'
import type { StatusError } from '../meta/status.ts'
import { badRequest, expired, resourceVersionTooLarge } from '../meta/statusErrors.ts'
import { StorageError } from '../storage/errors.ts'
import type { StoredValue } from '../storage/storage.ts'
import { Entry } from '../watch/entry.ts'
import { selects, type Selection } from '../watch/watchFilter.ts'
import { selectorsFor, type ListOptions } from './listOptions.ts'
import { groupResource } from './resource.ts'
import type { Shows } from './shows.ts'
import { toStatusError } from './storageErrors.ts'
import type { Store } from './store.ts'
import { reachesRevision } from './waitForRevision.ts'

export interface ListRequest {
  /** Empty: every namespace, or a kind without. */
  namespace: string
  options: ListOptions
  /** The revision asked for; undefined: none was given. */
  revision: number | undefined
  /** Which of the objects there are for whoever asks, now, whatever revision is asked for. Absent: all. */
  shows?: Shows | undefined
}

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

/** Keys of a namespace's objects, or of all, begin with this. */
function keyPrefixFor(store: Store, namespace: string): string {
  return store.resource.namespaced && namespace !== ''
    ? `${store.keyPrefix}${namespace}/`
    : store.keyPrefix
}

/** What a list or watch of a namespace, or of all where it is empty, is about. @throws StatusError BadRequest. */
export function selectionOf(store: Store, namespace: string, options: ListOptions): Selection {
  const selectors = selectorsFor(options, store.resource)
  const keyPrefix = keyPrefixFor(store, namespace)
  const name = selectors.fields?.requiresExact('metadata.name') ?? ''
  const isOne = name !== '' && (namespace !== '' || !store.resource.namespaced)
  return { keyPrefix, ...selectors, ...(isOne ? { onlyKey: keyPrefix + name } : {}) }
}

/** What of the selected a list holds. */
interface ListSelection extends Selection {
  /** Absent: all. */
  shows?: (entry: Entry) => boolean
}

/** One page of a list. @throws StatusError. Source: reference 4.3, the matrix. */
export async function listObjects(store: Store, request: ListRequest): Promise<ListPage> {
  try {
    return await listPage(store, request)
  } catch (error) {
    throw toStatusError(error, groupResource(store.resource), '')
  }
}

async function listPage(store: Store, request: ListRequest): Promise<ListPage> {
  const { options, revision } = request
  const selection = listSelection(store, request)
  await store.cache.warm()
  // A list of one object has no pages, but a token is looked at.
  const isOne = selection.onlyKey !== undefined
  if (options.continueToken !== '') {
    const token = readContinue(request)
    if (!isOne) return continueList(store, selection, request, token)
  }
  const limit = revision === 0 || isOne ? 0 : options.limit
  if (revision === undefined || revision === 0) return currentPage(store, selection, { limit })
  const isExact =
    options.resourceVersionMatch === 'Exact' || (options.resourceVersionMatch === '' && limit > 0)
  if (!(await reachesRevision(store, revision))) {
    // A state that is asked for exactly is not worth waiting for again.
    throw resourceVersionTooLarge(revision, store.cache.revision, isExact ? 0 : 1)
  }
  if (!isExact) return currentPage(store, selection, { limit })
  return exactPage(store, selection, { limit, revision, start: selection.keyPrefix })
}

function listSelection(store: Store, { namespace, options, shows }: ListRequest): ListSelection {
  const selection = selectionOf(store, namespace, options)
  if (shows === undefined) return selection
  return { ...selection, shows: (entry) => shows(store.nameOf(entry.key), entry) }
}

/** The entries in the cache that a list holds, in key order, from key `from` on. */
function found(store: Store, selection: ListSelection, from: string): Iterable<Entry> {
  const { shows } = selection
  const entries = store.cache.select(selection, from)
  return shows === undefined ? entries : shown(entries, shows)
}

function* shown(entries: Iterable<Entry>, shows: (entry: Entry) => boolean): Iterable<Entry> {
  for (const entry of entries) if (shows(entry)) yield entry
}

function readContinue({ options, revision }: ListRequest): ReturnType<typeof decodeContinue> {
  const token = decodeContinue(options.continueToken)
  if (revision !== undefined && revision > 0) {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  return token
}

async function continueList(
  store: Store,
  selection: ListSelection,
  { options, revision: asked }: ListRequest,
  { revision, start: relative }: ReturnType<typeof decodeContinue>,
): Promise<ListPage> {
  const start = selection.keyPrefix + relative
  const limit = asked === 0 ? 0 : options.limit
  if (revision < 0) return currentPage(store, selection, { limit, start })
  const { revision: newest } = store.cache
  if (revision > newest) throw resourceVersionTooLarge(revision, newest, 0)
  try {
    return await exactPage(store, selection, { limit, revision, start })
  } catch (error) {
    if (error instanceof StorageError && error.code === 'Compacted') throw expiredContinue(relative)
    throw error
  }
}

interface PageBounds {
  limit: number
  start?: string
}

function currentPage(
  store: Store,
  selection: ListSelection,
  { limit, start }: PageBounds,
): ListPage {
  const { cache } = store
  if (limit === 0 && start === undefined && isOpen(selection)) {
    const items = cache.segments(selection.keyPrefix)
    return { revision: cache.revision, entries: () => cache.select(selection), items: () => items }
  }
  const from = start ?? selection.keyPrefix
  const count = () => cache.countFrom(selection.keyPrefix, from)
  const entries = found(store, selection, from)
  const hasAfter = hasCachedAfter(store, selection)
  return page(store, selection, { entries, count, hasAfter, limit, revision: cache.revision })
}

/** The state at a revision: that of now where nothing changed since, else what storage's history gives. */
async function exactPage(
  store: Store,
  selection: ListSelection,
  { limit, revision, start }: { limit: number; revision: number; start: string },
): Promise<ListPage> {
  const { cache } = store
  if (cache.isUnchangedSince(revision)) {
    const count = () => cache.countFrom(selection.keyPrefix, start)
    const entries = found(store, selection, start)
    const hasAfter = hasCachedAfter(store, selection)
    return page(store, selection, { entries, count, hasAfter, limit, revision })
  }
  const { storage } = store.options
  const range = { prefix: selection.keyPrefix, start }
  if (selection.onlyKey !== undefined) {
    const stored = await storage.get(selection.onlyKey, { revision })
    const entries = wanted(store, selection, stored === undefined ? [] : [stored])
    return page(store, selection, {
      entries,
      count: () => 0,
      hasAfter: () => false,
      limit: 0,
      revision,
    })
  }
  const open = limit > 0 && isOpen(selection)
  const counted = open ? cache.countAt(revision, range.prefix, start) : undefined
  if (counted !== undefined) {
    // One more than the page holds, to see whether there is more.
    const { items } = await storage.list(range, { revision, limit: limit + 1 })
    const entries = items.map((stored) => new Entry(stored))
    const hasAfter = (key: string) => items.at(-1)?.key !== key
    return page(store, selection, { entries, count: () => counted, hasAfter, limit, revision })
  }
  const { items } = await storage.list(range, { revision })
  const entries = wanted(store, selection, items)
  const hasAfter = (key: string) => items.at(-1)?.key !== key
  return page(store, selection, { entries, count: () => items.length, hasAfter, limit, revision })
}

function hasCachedAfter({ cache }: Store, { keyPrefix }: ListSelection): (key: string) => boolean {
  return (key) => cache.countFrom(keyPrefix, `${key}\0`) > 0
}

/** The same of states that storage's history gave. */
function wanted(store: Store, selection: ListSelection, stored: readonly StoredValue[]): Entry[] {
  const { shows } = selection
  return stored
    .map((value) => new Entry(value))
    .filter((entry) => selects(selection, entry, store.fieldsOf))
    .filter((entry) => shows === undefined || (isStillThere(store, entry) && shows(entry)))
}

/** The right to see an object is one to see what it was before, but not another that had its name. */
function isStillThere(store: Store, entry: Entry): boolean {
  const newest = store.cache.get(entry.key)
  return newest?.object().metadata.uid === entry.object().metadata.uid
}

interface Found {
  entries: Iterable<Entry>
  /** How many objects there are from the page's start on, selected or not. */
  count: () => number
  /** Whether there are objects behind a key, selected or not. */
  hasAfter: (key: string) => boolean
  limit: number
  revision: number
}

function page(
  store: Store,
  selection: ListSelection,
  { entries: all, count, hasAfter, limit, revision }: Found,
): ListPage {
  const entries: Entry[] = []
  let hasMore = false
  for (const entry of all) {
    hasMore = limit > 0 && entries.length === limit
    if (hasMore) break
    entries.push(entry)
    // What is not selected is more, too; but nobody is told of what is not shown.
    if (entries.length === limit && selection.shows === undefined) {
      hasMore = hasAfter(entry.key)
      break
    }
  }
  const last = entries.at(-1)
  const result: ListPage = {
    revision,
    entries: () => entries,
    items: () => store.cache.items(entries),
  }
  if (!hasMore || last === undefined) return result
  result.continueToken = encodeContinue({
    revision,
    start: `${last.key.slice(selection.keyPrefix.length)}\0`,
  })
  if (isOpen(selection)) result.remainingItemCount = count() - limit
  return result
}

/** Every object under the prefix is in the list. */
function isOpen({ labels, fields, shows }: ListSelection): boolean {
  return labels === undefined && fields === undefined && shows === undefined
}

/** Source: reference 4.5. */
function expiredContinue(start: string): StatusError {
  const token = encodeContinue({ revision: -1, start })
  return expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    token,
  )
}
