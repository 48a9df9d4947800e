import { decodeContinue, encodeContinue } from '../../meta/continueToken.ts'
import type { StatusError } from '../../meta/status.ts'
import { badRequest, expired, resourceVersionTooLarge } from '../../meta/statusErrors.ts'
import { StorageError } from '../../storage/errors.ts'
import { inSteps, pausing, runSteps } from '../../meta/waiting/steps.ts'
import type { StoredValue } from '../../storage/storage.ts'
import type { CacheSnapshot } from '../../watch/cacheSnapshot.ts'
import { Entry } from '../../watch/cacheEntry.ts'
import { selects, type Selection } from '../../watch/watchFilter.ts'
import { selectorsFor, type ListOptions } from './listOptions.ts'
import {
  isOpen,
  pageOf,
  snapshotSource,
  type ListPage,
  type ListSelection,
  type NextTurn,
  type PageBounds,
  type PageSource,
} from './listPage.ts'
import { groupResource } from '../resource.ts'
import { newestStateFor } from './newestState.ts'
import { eventLoopTurn, prepareSelection } from './preparedSelection.ts'
import type { Shows } from './visibility.ts'
import { toStatusError } from '../storageErrors.ts'
import type { Store } from '../store.ts'
import { reachesRevision } from './waitForRevision.ts'

export interface ListRequest {
  /** Empty: every namespace, or a cluster-scoped kind. */
  namespace: string
  options: ListOptions
  /** The requested revision; undefined: none. */
  revision: number | undefined
  /** Restricts objects to those visible to the user now, whatever revision is requested. Absent: all. */
  shows?: Shows | undefined
  /** Absent: the next turn of the event loop. */
  nextTurn?: NextTurn
}

/** Key prefix of a namespace's objects, or of all. */
function keyPrefixFor(store: Store, namespace: string): string {
  return store.resource.namespaced && namespace !== ''
    ? `${store.keyPrefix}${namespace}/`
    : store.keyPrefix
}

/** The selection of a list or watch in a namespace, or in all if it is empty. @throws StatusError BadRequest. */
export function selectionOf(store: Store, namespace: string, options: ListOptions): Selection {
  const selectors = selectorsFor(options, store.resource)
  const keyPrefix = keyPrefixFor(store, namespace)
  const name = selectors.fields?.requiresExact('metadata.name') ?? ''
  const isOne = name !== '' && (namespace !== '' || !store.resource.namespaced)
  return { keyPrefix, ...selectors, ...(isOne ? { onlyKey: keyPrefix + name } : {}) }
}

/** A page of a list. @throws StatusError. Source: reference 4.3, the matrix. */
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
  // Without a revision, a list has the newest state; the same applies to a continued list.
  await newestStateFor(store.options.storage, revision)
  // A list of one object has no pages, but a token is validated.
  const isOne = selection.onlyKey !== undefined
  if (options.continueToken !== '') {
    const token = readContinue(request)
    if (!isOne) return continueList(store, selection, request, token)
  }
  const limit = revision === 0 || isOne ? 0 : options.limit
  const start = selection.keyPrefix
  if (revision === undefined || revision === 0)
    return currentPage(store, selection, { limit, start })
  const isExact =
    options.resourceVersionMatch === 'Exact' || (options.resourceVersionMatch === '' && limit > 0)
  if (!(await reachesRevision(store, revision)))
    throw resourceVersionTooLarge(revision, store.cache.revision, 1)
  if (!isExact) return currentPage(store, selection, { limit, start })
  return exactPage(store, selection, { limit, revision, start })
}

function listSelection(store: Store, request: ListRequest): ListSelection {
  const { namespace, options, shows, nextTurn = eventLoopTurn } = request
  const selection = { ...selectionOf(store, namespace, options), nextTurn }
  if (shows === undefined) return selection
  return { ...selection, shows: (entry) => shows(store.nameOf(entry.key), entry) }
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

/**
 * The page at the newest revision. Revision and objects are read in one turn, so that no write
 * comes in between.
 */
async function currentPage(
  store: Store,
  selection: ListSelection,
  bounds: PageBounds,
): Promise<ListPage> {
  await prepareSelection(store.cache.snapshot(), selection, bounds)
  const { revision } = store.cache
  const snapshot = store.cache.snapshot()
  const { limit, start } = bounds
  if (limit === 0 && start === selection.keyPrefix && isOpen(selection)) {
    const items = snapshot.segments(selection.keyPrefix)
    return { revision, entries: () => snapshot.select(selection), items: () => items }
  }
  return snapshotPage(store, selection, { ...bounds, snapshot, revision })
}

interface SnapshotBounds extends PageBounds {
  snapshot: CacheSnapshot
  revision: number
}

function snapshotPage(
  { cache }: Store,
  selection: ListSelection,
  { snapshot, ...bounds }: SnapshotBounds,
): ListPage {
  const source = snapshotSource(snapshot, selection, bounds)
  const page = pageOf(source, selection, bounds.limit)
  if (page.continueToken !== undefined && cache.isUnchangedSince(bounds.revision))
    cache.keepForPages()
  return page
}

/**
 * Page at a revision, from the cache if it has the revision, otherwise from storage's history. Compaction ends both:
 * the lifetime of a continue token does not depend on writes of its resource. @throws StorageError Compacted.
 */
async function exactPage(
  store: Store,
  asked: ListSelection,
  bounds: PageBounds & { revision: number },
): Promise<ListPage> {
  const { shows } = asked
  const selection =
    shows === undefined
      ? asked
      : { ...asked, shows: (entry: Entry) => isStillThere(store, entry) && shows(entry) }
  const isKept = bounds.revision >= store.options.storage.compactedRevision
  const snapshot = isKept ? store.cache.snapshotAt(bounds.revision) : undefined
  if (snapshot !== undefined) {
    await prepareSelection(snapshot, selection, bounds)
    return snapshotPage(store, selection, { ...bounds, snapshot })
  }
  return pageOf(await historySource(store, selection, bounds), selection, bounds.limit)
}

async function historySource(
  store: Store,
  selection: ListSelection,
  { limit, revision, start }: PageBounds & { revision: number },
): Promise<PageSource> {
  const { cache } = store
  const { storage } = store.options
  const range = { prefix: selection.keyPrefix, start }
  const isPage = limit > 0 && isOpen(selection)
  const counted = isPage ? cache.countAt(revision, range.prefix, start) : undefined
  // One more than the page size, to detect further objects.
  const atMost = counted === undefined ? 0 : limit + 1
  const { onlyKey } = selection
  const stored =
    onlyKey === undefined
      ? (await storage.list(range, { revision, limit: atMost })).items
      : [await storage.get(onlyKey, { revision })].filter((found) => found !== undefined)
  return {
    revision,
    entries: await wanted(store, selection, stored),
    count: () => counted ?? stored.length,
    hasAfter: (key) => stored.at(-1)?.key !== key,
    items: (entries) => cache.items(entries),
  }
}

/** Selected entries of a state from storage's history. */
async function wanted(
  store: Store,
  selection: ListSelection,
  stored: readonly StoredValue[],
): Promise<Entry[]> {
  const { shows = () => true, nextTurn } = selection
  const entries = stored.map((value) => new Entry(value))
  const steps = inSteps(entries, (entry) => selects(selection, entry, store.fieldsOf))
  const selected = await runSteps(steps, pausing(nextTurn))
  return entries.filter((entry, at) => selected[at] === true && shows(entry))
}

/**
 * Reports whether the newest object of a key is the same object: the right to see it covers its earlier states, but
 * not a former object of the same name.
 */
function isStillThere(store: Store, entry: Entry): boolean {
  const newest = store.cache.get(entry.key)
  if (newest?.revision === entry.revision) return true
  return newest?.object().metadata.uid === entry.object().metadata.uid
}

/** The error for an expired continue token. Source: reference 4.5. */
function expiredContinue(start: string): StatusError {
  const token = encodeContinue({ revision: -1, start })
  return expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    token,
  )
}
