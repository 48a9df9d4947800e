import { useEffect, useMemo, useRef, useState } from 'react'
import { apiVersionOf, kindPath, type Kind, type Place } from '../api/kinds.ts'
import { fieldSelector } from '../api/fieldSelector.ts'
import type { ApiObject } from '../api/objects.ts'
import type { Feed, FeedState } from '../watch/feed.ts'
import { objectShape, type Shape } from '../watch/shapes.ts'
import { useConsole } from './console.ts'

/** Minimum interval between renders, however many changes arrive. */
const drawMs = 200

export interface FeedView<Item> {
  feed: Feed<Item> | undefined
  state: FeedState
  /** Incremented with each render. */
  version: number
}

export interface FeedRequest<Item> {
  shape: Shape<Item>
  /** Kind of the items; undefined: nothing is requested. */
  kind: Kind | undefined
  namespace?: string
  query?: Readonly<Record<string, string>>
}

/** Items of a collection, live while the page is shown. */
export function useFeed<Item>(request: FeedRequest<Item>): FeedView<Item> {
  const { pool, client } = useConsole()
  const { shape, kind, namespace, query = {} } = request
  const path = kind === undefined ? '' : kindPath(kind, { namespace })
  const canWatch = kind?.verbs.has('watch') === true
  const [feed, setFeed] = useState<Feed<Item>>()
  const [version, setVersion] = useState(0)
  const key = JSON.stringify([path, query])
  useEffect(() => {
    if (path === '') return setFeed(undefined)
    const taken = pool.take({ send: client.send, shape, path, query, canWatch })
    setFeed(taken.feed)
    setVersion((old) => old + 1)
    const end = drawnSeldom(taken.feed, () => setVersion((old) => old + 1))
    return () => {
      end()
      taken.release()
    }
    // The key represents path and query.
  }, [key, pool, client, shape, canWatch])
  return { feed, version, state: feed?.state ?? { name: 'loading' } }
}

/** Calls `draw` at the first change, and then at most every `drawMs`. */
function drawnSeldom<Item>(feed: Feed<Item>, draw: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0
  const drawNow = () => {
    timer = undefined
    last = performance.now()
    draw()
  }
  const unsubscribe = feed.subscribe(() => {
    timer ??= setTimeout(drawNow, Math.max(0, last + drawMs - performance.now()))
  })
  return () => {
    unsubscribe()
    clearTimeout(timer)
  }
}

/** Shape of objects with unknown fields. */
export const wholeObjects = objectShape<ApiObject>()

/** Whole objects of a kind, sorted by name. */
export function useObjects(
  kind: Kind | undefined,
  { namespace = '', query = {} }: { namespace?: string; query?: Record<string, string> } = {},
): { items: readonly ApiObject[]; state: FeedState } {
  const { feed, version, state } = useFeed({ shape: wholeObjects, kind, namespace, query })
  const items = useMemo(
    () =>
      [...(feed?.items.values() ?? [])].sort((a, b) =>
        a.metadata.name < b.metadata.name ? -1 : 1,
      ),
    [feed, version],
  )
  return { items, state }
}

export type ObjectView =
  | { state: 'loading' }
  | { state: 'found'; object: ApiObject; isStale: boolean }
  /** Deleted while shown. */
  | { state: 'deleted'; object: ApiObject }
  | { state: 'failed'; error: unknown }

/** Live object of a page; requires the right to watch it, not the whole collection. */
export function useObject(kind: Kind, { namespace, name = '' }: Place): ObjectView {
  const query = { fieldSelector: fieldSelector('metadata.name', name) }
  const canFollow = kind.verbs.has('list')
  const followed = canFollow ? kind : undefined
  const { feed, state } = useFeed({
    shape: wholeObjects,
    kind: followed,
    ...(namespace === undefined ? {} : { namespace }),
    query,
  })
  const [listed] = feed?.items.values() ?? []
  // Items of lists have no kind.
  const object = useMemo(
    () => listed && { apiVersion: apiVersionOf(kind), kind: kind.kind, ...listed },
    [listed, kind],
  )
  const last = useRef<ApiObject>(undefined)
  if (object !== undefined) last.current = object
  if (object !== undefined) return { state: 'found', object, isStale: state.name === 'stale' }
  const gone = last.current?.metadata.name === name ? last.current : undefined
  return feed === undefined
    ? { state: 'loading' }
    : withoutObject(state, gone, `${kind.kind} "${name}"`)
}

/** View of an object that does not exist, or is not loaded yet. @param gone its last known state. */
function withoutObject(state: FeedState, gone: ApiObject | undefined, what: string): ObjectView {
  switch (state.name) {
    case 'loading':
      return { state: 'loading' }
    case 'refused':
    case 'stale':
      return { state: 'failed', error: state.error }
    case 'live':
    case 'listed':
      return gone === undefined
        ? { state: 'failed', error: new Error(`There is no ${what}.`) }
        : { state: 'deleted', object: gone }
  }
}
