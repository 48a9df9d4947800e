import { frameEncoder } from '../../apiserver/endpoints/response/frameEncoders.ts'
import { parseFieldSelector } from '../../apiserver/meta/selectors/fieldSelector.ts'
import { parseLabelSelector } from '../../apiserver/meta/selectors/labelSelector.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import type { RingLimits } from '../../apiserver/watch/eventRing.ts'
import { WatchCache } from '../../apiserver/watch/watchCache.ts'
import type { WatchRequest } from '../../apiserver/watch/watchHub.ts'
import type { Selection } from '../../apiserver/watch/watchFilter.ts'
import type { Watcher, WatcherOptions, WatchStart } from '../../apiserver/watch/watcher.ts'
import { RecordingSink } from './recordingSink.ts'

export const hourMs = 3_600_000

export interface WatchOptions extends Partial<WatcherOptions> {
  start?: WatchStart
  labels?: string
  fields?: string
  /** Namespace; empty: all. */
  namespace?: string
  sink?: RecordingSink
  table?: boolean
}

/** Cache of everything that `store` writes, with a ring of `limits`. */
export function cacheOf(store: Store, limits: Partial<RingLimits> = {}): WatchCache {
  const { storage, clock } = store.options
  return new WatchCache({
    storage,
    clock,
    prefix: store.keyPrefix,
    fieldsOf: store.fieldsOf,
    typeLength: 0,
    report: store.options.report,
    limits: { maxEvents: 1_000, maxBytes: 1_000_000, ...limits },
  })
}

export function selectionOf(
  store: Store,
  { labels = '', fields = '', namespace = '' }: WatchOptions,
): Selection {
  return {
    keyPrefix: namespace === '' ? store.keyPrefix : `${store.keyPrefix}${namespace}/`,
    labels: labels === '' ? undefined : parseLabelSelector(labels),
    fields: fields === '' ? undefined : parseFieldSelector(fields),
  }
}

/** Starts a watch on a warm cache, by default at its revision. */
export function watch(
  cache: WatchCache,
  store: Store,
  options: WatchOptions = {},
): { sink: RecordingSink; watcher: Watcher } {
  const { sink = new RecordingSink() } = options
  return { sink, watcher: cache.subscribe(watchRequest(cache, store, options), sink) }
}

/** Watch request with the given options. */
export function watchRequest(
  cache: WatchCache,
  store: Store,
  options: WatchOptions = {},
): WatchRequest {
  const { start = { revision: cache.revision } } = options
  const { clock } = store.options
  const encoder = frameEncoder({
    resource: store.resource,
    format: {
      mediaType: 'application/json',
      pretty: false,
      ...(options.table === true
        ? { convert: { group: 'meta.k8s.io', kind: 'Table', version: 'v1' } }
        : {}),
    },
    includeObject: '',
    now: () => clock.now(),
  })
  const { allowBookmarks = false, timeoutMs = hourMs, hold } = options
  return {
    selection: selectionOf(store, options),
    encoder,
    options: { allowBookmarks, timeoutMs, ...(hold === undefined ? {} : { hold }) },
    start,
  }
}
