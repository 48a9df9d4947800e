import { resourceVersionTooLarge } from '../meta/statusErrors.ts'
import type { Entry } from '../watch/entry.ts'
import type { FrameEncoder } from '../watch/frameEncoder.ts'
import type { Sink } from '../watch/sink.ts'
import type { Watcher, WatcherOptions, WatchStart } from '../watch/watcher.ts'
import type { ListOptions } from './listOptions.ts'
import { selectionOf } from './listObjects.ts'
import type { Store } from './store.ts'
import { reachesRevision } from './waitForRevision.ts'

export interface WatchObjectsRequest {
  /** Empty: every namespace, or a kind without. */
  namespace: string
  options: ListOptions
  /** The revision asked for; undefined: none was given. */
  revision: number | undefined
  encoder: FrameEncoder
  watcher: WatcherOptions
}

/** Begins a watch: `openSink` is called when nothing can refuse it any more, in the turn in which the watch begins.
 *  @throws StatusError for selectors that cannot be read. Later errors come as ERROR events.
 *  Source: reference 5.2. */
export async function watchObjects(
  store: Store,
  request: WatchObjectsRequest,
  openSink: () => Sink,
): Promise<Watcher | undefined> {
  const selection = selectionOf(store, request.namespace, request.options)
  await store.cache.warm()
  const { revision } = request
  if (sendsInitial(request) && revision !== undefined && revision > 0) {
    if (!(await reachesRevision(store, revision))) {
      const sink = openSink()
      const status = resourceVersionTooLarge(revision, store.cache.revision, 1).toStatus()
      sink.write(request.encoder.error(status))
      sink.end()
      return undefined
    }
  }
  const initial = sendsInitial(request) ? [...store.cache.snapshot().select(selection)] : undefined
  const { encoder, watcher: options } = request
  const start = watchStart(request, store.cache.revision, initial)
  return store.cache.subscribe({ selection, encoder, options, start }, openSink())
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
