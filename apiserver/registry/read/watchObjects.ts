import type { StatusError } from '../../meta/status.ts'
import { resourceVersionTooLarge } from '../../meta/statusErrors.ts'
import type { Entry } from '../../watch/entry.ts'
import { viewChanged, type EntryView, type Selection } from '../../watch/watchFilter.ts'
import type { Shows, View } from './visibility.ts'
import type { FrameEncoder } from '../../watch/frameEncoder.ts'
import type { Sink } from '../../watch/sink.ts'
import type { Watcher, WatcherOptions, WatchStart } from '../../watch/watcher.ts'
import type { ListOptions } from './listOptions.ts'
import { selectionOf } from './listObjects.ts'
import type { Store } from '../store.ts'
import { newestStateFor } from './newestState.ts'
import { reachesRevision } from './waitForRevision.ts'

export interface WatchObjectsRequest {
  /** Empty: every namespace, or a kind without. */
  namespace: string
  options: ListOptions
  /** The revision asked for; undefined: none was given. */
  revision: number | undefined
  encoder: FrameEncoder
  watcher: WatcherOptions
  /** Which of the objects there are for whoever asks, now. Absent: all. */
  shows?: Shows | undefined
  /** What the watch shows of them from then on; it closes with the watch. Given with `shows`. */
  view?: (() => View) | undefined
}

/** Begins a watch: `openSink` is called when nothing can refuse it any more, in the turn in which the watch begins.
 *  @throws StatusError for selectors that cannot be read. Later errors come as ERROR events.
 *  Source: reference 5.2. */
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
  const initial = sendsInitial(request) ? initialEntries(store, selected, request) : undefined
  const { encoder } = request
  const start = watchStart(request, store.cache.revision, initial)
  const view = request.view?.()
  // What was seen at the revision that the client has may be another than what is seen now.
  if (initial === undefined && view?.holds(start.revision) === false) {
    view.close()
    return refuse(openSink(), encoder, viewChanged())
  }
  const selection = view === undefined ? selected : { ...selected, view: viewIn(store, view) }
  const options = { ...request.watcher, whenOver: view && (() => view.close()) }
  return store.cache.subscribe({ selection, encoder, options, start }, openSink())
}

/** Past the handshake an error is an event. */
function refuse(sink: Sink, encoder: FrameEncoder, error: StatusError): undefined {
  sink.write(encoder.error(error.toStatus()))
  sink.end()
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
      // Of an object that was taken since nothing is shown, also not what it was before.
      const isGone = store.options.storage.newest(after.key) === undefined
      return isGone || view.showsNow(nameOf(after))
    },
    holds: () => view.holds(),
  }
}

/** Without a revision, or at 0, the objects that exist come first, unless the client says no. */
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
