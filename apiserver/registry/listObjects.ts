import { decodeContinue, encodeContinue } from '../meta/continueToken.ts'
import type { StatusError } from '../meta/status.ts'
import { badRequest, expired, resourceVersionTooLarge } from '../meta/statusErrors.ts'
import { StorageError } from '../storage/errors.ts'
import { Entry } from '../watch/entry.ts'
import { selects, type Selection } from '../watch/watchFilter.ts'
import { parseSelectors, type ListOptions } from './listOptions.ts'
import { groupResource } from './resource.ts'
import { toStatusError } from './storageErrors.ts'
import type { Store } from './store.ts'
import { reachesRevision } from './waitForRevision.ts'

export interface ListRequest {
  /** Empty: every namespace, or a kind without. */
  namespace: string
  options: ListOptions
  /** The revision asked for; undefined: none was given. */
  revision: number | undefined
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
export function keyPrefixFor(store: Store, namespace: string): string {
  return store.resource.namespaced && namespace !== ''
    ? `${store.keyPrefix}${namespace}/`
    : store.keyPrefix
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
  const { labels, fields } = parseSelectors(options, store.resource)
  const selection = { keyPrefix: keyPrefixFor(store, request.namespace), labels, fields }
  await store.cache.warm()
  if (options.continueToken !== '') return continueList(store, selection, request)
  const limit = revision === 0 ? 0 : options.limit
  if (revision === undefined || revision === 0) return currentPage(store, selection, { limit })
  const isExact =
    options.resourceVersionMatch === 'Exact' || (options.resourceVersionMatch === '' && limit > 0)
  if (!(await reachesRevision(store, revision))) {
    throw resourceVersionTooLarge(revision, store.cache.revision, 1)
  }
  if (!isExact) return currentPage(store, selection, { limit })
  return exactPage(store, selection, { limit, revision, start: selection.keyPrefix })
}

async function continueList(
  store: Store,
  selection: Selection,
  request: ListRequest,
): Promise<ListPage> {
  const { options, revision: asked } = request
  if (asked !== undefined && asked > 0) {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  const { revision, start: relative } = decodeContinue(options.continueToken)
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

function currentPage(store: Store, selection: Selection, { limit, start }: PageBounds): ListPage {
  const { cache } = store
  if (limit === 0 && start === undefined && isOpen(selection)) {
    const items = cache.segments(selection.keyPrefix)
    return { revision: cache.revision, entries: () => cache.select(selection), items: () => items }
  }
  const from = start ?? selection.keyPrefix
  const count = () => cache.countFrom(selection.keyPrefix, from)
  const found = cache.select(selection, from)
  return page(store, selection, { found, count, limit, revision: cache.revision })
}

/** The state at a revision: that of now where nothing changed since, else what storage's history gives. */
async function exactPage(
  store: Store,
  selection: Selection,
  { limit, revision, start }: { limit: number; revision: number; start: string },
): Promise<ListPage> {
  const { cache } = store
  if (cache.isUnchangedSince(revision)) {
    const count = () => cache.countFrom(selection.keyPrefix, start)
    return page(store, selection, { found: cache.select(selection, start), count, limit, revision })
  }
  const { items } = await store.options.storage.list(
    { prefix: selection.keyPrefix, start },
    { revision },
  )
  const found = items
    .map((stored) => new Entry(stored))
    .filter((entry) => selects(selection, entry, store.fieldsOf))
  return page(store, selection, { found, count: () => items.length, limit, revision })
}

interface Found {
  found: Iterable<Entry>
  /** How many objects there are from the page's start on, selected or not. */
  count: () => number
  limit: number
  revision: number
}

function page(
  store: Store,
  selection: Selection,
  { found, count, limit, revision }: Found,
): ListPage {
  const entries: Entry[] = []
  let hasMore = false
  for (const entry of found) {
    hasMore = limit > 0 && entries.length === limit
    if (hasMore) break
    entries.push(entry)
  }
  const last = entries.at(-1)
  const result: ListPage = {
    revision,
    entries: () => entries,
    items: () => [store.cache.items(entries)],
  }
  if (!hasMore || last === undefined) return result
  result.continueToken = encodeContinue({
    revision,
    start: `${last.key.slice(selection.keyPrefix.length)}\0`,
  })
  if (isOpen(selection)) result.remainingItemCount = count() - limit
  return result
}

function isOpen({ labels, fields }: Selection): boolean {
  return labels === undefined && fields === undefined
}

/** Source: reference 4.5. */
function expiredContinue(start: string): StatusError {
  const token = encodeContinue({ revision: -1, start })
  return expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    token,
  )
}
