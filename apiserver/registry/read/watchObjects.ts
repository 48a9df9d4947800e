import type { StatusError } from '../../meta/status.ts'
import { resourceVersionTooLarge } from '../../meta/statusErrors.ts'
import type { Entry } from '../../watch/cacheEntry.ts'
import { viewChanged, type EntryView, type Selection } from '../../watch/watchFilter.ts'
import type { Shows, View } from './visibility.ts'
import type { FrameEncoder } from '../../watch/frameEncoder.ts'
import type { Sink } from '../../watch/sink.ts'
import type { Watcher, WatcherOptions, WatchStart } from '../../watch/watcher.ts'
import type { ListOptions } from './listOptions.ts'
import { selectionOf } from './listObjects.ts'
import type { NextTurn } from './listPage.ts'
import type { Store } from '../store.ts'
import { newestStateFor } from './newestState.ts'
import { eventLoopTurn, prepareSelection } from './preparedSelection.ts'
import { reachesRevision } from './waitForRevision.ts'

export interface WatchObjectsRequest {
  /** Empty: every namespace, or a cluster-scoped kind. */
  namespace: string
  options: ListOptions
  /** The requested revision; undefined: none. */
  revision: number | undefined
  encoder: FrameEncoder
  watcher: WatcherOptions
  /** Restricts initial objects to those visible to the user now. Absent: all. */
  shows?: Shows | undefined
  /** Turns of selecting initial objects. Absent: the next turn of the event loop. */
  nextTurn?: NextTurn
  /** Creates the view of the watch, which closes with it. Set together with `shows`. */
  view?: (() => View) | undefined
}

/**
 * Starts a watch: `openSink` is called once nothing can refuse it any more, in the turn in which the watch starts.
 * @throws StatusError for malformed selectors. Later errors are sent as ERROR events.
 * Source: reference 5.2.
 */
export async function watchObjects(
  store: Store,
  request: WatchObjectsRequest,
  openSink: () => Sink,
): Promise<Watcher | undefined> {
  const selected = selectionOf(store, request.namespace, request.options)
  await store.cache.warm()
  const { revision } = request
  await newestStateFor(store.options.storage, revision)
  if (sendsInitial(request) && revision !== undefined && revision > 0) {
    if (!(await reachesRevision(store, revision))) {
      const tooLarge = resourceVersionTooLarge(revision, store.cache.revision, 1)
      return refuse(openSink(), request.encoder, tooLarge)
    }
  }
  await prepareInitial(store, selected, request)
  const initial = sendsInitial(request) ? initialEntries(store, selected, request) : undefined
  const { encoder } = request
  const start = watchStart(request, store.cache.revision, initial)
  const view = request.view?.()
  // The objects visible at the client's revision may differ from the currently visible ones.
  if (initial === undefined && view?.holds(start.revision) === false) {
    view.close()
    return refuse(openSink(), encoder, viewChanged())
  }
  const selection = view === undefined ? selected : { ...selected, view: viewIn(store, view) }
  const options = { ...request.watcher, whenEnded: view && (() => view.close()) }
  return store.cache.subscribe({ selection, encoder, options, start }, openSink())
}

/** Sends an error as an event, since the handshake is complete. */
function refuse(sink: Sink, encoder: FrameEncoder, error: StatusError): undefined {
  sink.write(encoder.error(error.toStatus()))
  sink.end()
}

/** Does the work of selecting the initial objects in turns; the watch starts in a turn of its own. */
async function prepareInitial(
  store: Store,
  selected: Selection,
  request: WatchObjectsRequest,
): Promise<void> {
  if (!sendsInitial(request)) return
  const selection = { ...selected, nextTurn: request.nextTurn ?? eventLoopTurn }
  const all = { start: selection.keyPrefix, limit: 0 }
  await prepareSelection(store.cache.snapshot(), selection, all)
}

function initialEntries(
  store: Store,
  selection: Selection,
  { shows }: WatchObjectsRequest,
): readonly Entry[] {
  const all = [...store.cache.snapshot().select(selection)]
  return shows === undefined ? all : all.filter((entry) => shows(store.nameOf(entry.key), entry))
}

function viewIn(store: Store, view: View): EntryView {
  const nameOf = ({ key }: Entry) => store.nameOf(key)
  return {
    key: view.key,
    shows: (entry) => view.shows(nameOf(entry), entry),
    showed: (entry, revision) => view.showed(nameOf(entry), entry, revision),
    keeps: (before, after) => {
      if (before !== undefined && view.takes(before, after)) return false
      // Not even the previous state of an object removed from the view may be shown.
      const isGone = store.options.storage.newest(after.key) === undefined
      return isGone || view.showsNow(nameOf(after))
    },
    holds: () => view.holds(),
  }
}

/** Reports whether existing objects come first: without a revision or at 0, unless the client disables that. */
function sendsInitial({ options, revision }: WatchObjectsRequest): boolean {
  return options.sendInitialEvents ?? (revision === undefined || revision === 0)
}

function watchStart(
  { options, revision }: WatchObjectsRequest,
  current: number,
  initial: readonly Entry[] | undefined,
): WatchStart {
  if (initial === undefined)
    return { revision: revision === undefined || revision === 0 ? current : revision }
  return { revision: current, initial, marksInitialEnd: options.allowWatchBookmarks }
}
