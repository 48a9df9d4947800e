import { BackOff } from './backOff.ts'
import { jsonLines } from './jsonLines.ts'
import type { Column, ListedObject, Shape } from './shapes.ts'
import { StatusError, type StatusBody } from './statusError.ts'
import { realSurroundings, type Surroundings } from './surroundings.ts'

/** Sends a request below the base address of the API, with the caller's credential. */
export type Send = (
  path: string,
  init: { headers: Record<string, string>; signal: AbortSignal },
) => Promise<Response>

export interface FeedOptions<Item> {
  send: Send
  shape: Shape<Item>
  /** Path of the collection, such as `/api/v1/pods`. */
  path: string
  /** Selectors and other parameters of both the list and the watch. Default: none. */
  query?: Readonly<Record<string, string>>
  surroundings?: Surroundings
  /** True if the kind can be watched. Default true; otherwise the list is read once. */
  canWatch?: boolean
}

/** State of a feed: up to date or not. */
export type FeedState =
  | { name: 'loading' }
  | { name: 'live' }
  /** The list is complete, and the kind cannot be watched. */
  | { name: 'listed' }
  /** The items are the last known ones; the next attempt is running or scheduled. */
  | { name: 'stale'; error: Error }
  /** Final: the server refused, and a retry would not help. */
  | { name: 'refused'; error: StatusError }

/** State in a form that can be sent to another tab. */
interface SentState {
  name: FeedState['name']
  /** Error of a stale feed, or body of the Status of a refused one. */
  error?: StatusBody
}

/** Change of a feed, to be replayed by the feed of another tab. */
export type FeedChange =
  | {
      type: 'whole'
      items: readonly unknown[]
      columns: readonly Column[]
      revision: string
      state: SentState
    }
  /** @param from revision before the events. */
  | { type: 'events'; from: string; events: readonly Event[] }
  | { type: 'state'; state: SentState }

/** Page size, small enough that the first page is shown at once. */
const pageItems = 500
/** Requested duration of a watch; up to half of it is added at random. */
const watchSeconds = 300
/** Time without an event or bookmark after which a connection counts as dead; bookmarks arrive every minute. */
const silenceMs = 150_000
/** Minimum duration of a watch without events: a shorter one counts as an error, to avoid retries without a delay. */
const shortMs = 1_000

type Event = { type: string; object: unknown }

/**
 * Items of one collection: a list, then one watch, resumed from the last revision seen. A watch that ends is resumed at
 * once, or after an error with growing delays. The list is repeated only if the server has dropped the revision (410).
 */
export class Feed<Item> {
  readonly #options: FeedOptions<Item>
  readonly #around: Surroundings
  readonly #backOff: BackOff
  readonly #listeners = new Set<() => void>()
  #items = new Map<string, Item>()
  #columns: readonly Column[] = []
  #state: FeedState = { name: 'loading' }
  #version = 0
  #revision = ''
  #run: AbortController | undefined
  #wake: (() => void) | undefined
  /** Called with each change, to forward it to other tabs. */
  relay: ((change: FeedChange) => void) | undefined
  /** Forwards a retry request to the tab with the connection. */
  askRetry: (() => void) | undefined
  /** Number of requests sent, for tests of resumption. */
  readonly sent = { lists: 0, watches: 0 }

  constructor(options: FeedOptions<Item>) {
    this.#options = options
    this.#around = options.surroundings ?? realSurroundings
    this.#backOff = new BackOff(() => this.#around.random())
  }

  get items(): ReadonlyMap<string, Item> {
    return this.#items
  }

  get columns(): readonly Column[] {
    return this.#columns
  }

  get state(): FeedState {
    return this.#state
  }

  /** Last revision seen; empty before the first list. */
  get revision(): string {
    return this.#revision
  }

  /** Incremented with each change of items, columns or state. */
  get version(): number {
    return this.#version
  }

  /** Calls back after each change, in the same turn; returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Starts the feed; no effect while it runs. */
  start(): void {
    if (this.#run !== undefined) return
    const run = new AbortController()
    this.#run = run
    void this.#follow(run.signal)
  }

  /** Stops the watch and keeps the items. */
  stop(): void {
    this.#run?.abort()
    this.#run = undefined
  }

  /** Ends a delay early, for instance when the network is back. */
  retryNow(): void {
    this.#wake?.()
    this.askRetry?.()
  }

  /** Complete state of the feed, for a tab that has nothing yet. */
  whole(): FeedChange {
    return {
      type: 'whole',
      items: [...this.#items.values()],
      columns: this.#columns,
      revision: this.#revision,
      state: sentState(this.#state),
    }
  }

  /**
   * Replays a change from the feed of another tab. Returns false if the change does not follow the state of this one.
   */
  adopt(change: FeedChange): boolean {
    if (change.type === 'state') {
      this.#become(receivedState(change.state))
      return true
    }
    if (change.type === 'events') {
      if (this.#revision === '' || change.from !== this.#revision) return false
      this.#apply(change.events)
      return true
    }
    this.#columns = change.columns
    this.#revision = change.revision
    this.#state = receivedState(change.state)
    // Sound: the other feed has the same shape.
    const items = change.items as readonly Item[]
    this.#replace(new Map(items.map((item) => [this.#key(item), item])))
    return true
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.#revision === '') await this.#list(signal)
        if (this.#options.canWatch === false) return this.#become({ name: 'listed' })
        await this.#watch(signal)
      } catch (error) {
        if (signal.aborted) return
        const failure = error instanceof Error ? error : new Error(String(error))
        if (isFinal(failure)) return this.#become({ name: 'refused', error: failure })
        await this.#recover(failure, signal)
      }
    }
  }

  async #recover(error: Error, signal: AbortSignal): Promise<void> {
    const status = error instanceof StatusError ? error : undefined
    // The revision was dropped: the list is repeated, at once the first time.
    if (status?.code === 410) {
      this.#revision = ''
      if (this.#backOff.failures === 0) return void this.#backOff.next()
    }
    this.#become({ name: 'stale', error })
    await this.#pause((status?.details.retryAfterSeconds ?? 0) * 1000, signal)
  }

  #pause(atLeastMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancel()
        this.#wake = undefined
        signal.removeEventListener('abort', done)
        resolve()
      }
      const cancel = this.#around.after(this.#backOff.next(atLeastMs), done)
      this.#wake = done
      signal.addEventListener('abort', done)
    })
  }

  /** Reads all pages. Shows the first page of the first list before the others arrive. */
  async #list(signal: AbortSignal): Promise<void> {
    const { shape, path, query } = this.#options
    const isFirst = this.#items.size === 0
    const items = new Map<string, Item>()
    let token = ''
    let revision = ''
    do {
      const page: Record<string, string> = { ...query, limit: String(pageItems) }
      if (token !== '') page['continue'] = token
      this.sent.lists++
      const response = await this.#request(path, page, { accept: shape.accept, signal })
      const read = shape.pageOf(await response.json())
      for (const item of read.items) items.set(this.#key(item), item)
      if (read.columns.length > 0) this.#columns = read.columns
      revision = read.resourceVersion
      token = read.continueToken
      if (isFirst && token !== '') this.#replace(new Map(items))
    } while (token !== '')
    this.#revision = revision
    this.#replace(items)
    this.relay?.(this.whole())
  }

  /** Follows changes until the server ends the watch. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { shape, path, query } = this.#options
    const seconds = Math.round(watchSeconds * (1 + this.#around.random() / 2))
    const parameters = {
      ...query,
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: this.#revision,
      timeoutSeconds: String(seconds),
    }
    const silence = new Silence(this.#around, silenceMs)
    const begun = this.#around.now()
    let isSilent = true
    const both = AbortSignal.any([signal, silence.signal])
    try {
      this.sent.watches++
      const { accept } = shape
      const response = await this.#request(path, parameters, { accept, signal: both })
      if (response.body === null) throw new TypeError('the response of a watch has no body')
      this.#become({ name: 'live' })
      for await (const events of jsonLines(response.body)) {
        silence.heard()
        isSilent = false
        this.#backOff.succeeded()
        const from = this.#revision
        // Sound: the server sends watch events.
        this.#apply(events as Event[])
        this.relay?.({ type: 'events', from, events: events as Event[] })
      }
    } finally {
      silence.end()
    }
    if (isSilent && this.#around.now() - begun < shortMs) throw new Error('the watch ended at once')
  }

  async #request(
    path: string,
    query: Readonly<Record<string, string>>,
    { accept, signal }: { accept: string; signal: AbortSignal },
  ): Promise<Response> {
    const url = `${path}?${new URLSearchParams(query).toString()}`
    const response = await this.#options.send(url, { headers: { accept }, signal })
    if (!response.ok) throw await StatusError.of(response)
    return response
  }

  #apply(events: readonly Event[]): void {
    let changed = false
    try {
      for (const event of events) {
        const { type, object } = event
        // Sound: the object of this event is a Status.
        if (type === 'ERROR') throw new StatusError(object as StatusBody, 500)
        if (type !== 'BOOKMARK') changed = this.#take(type, object) || changed
        this.#revision = revisionOf(object) || this.#revision
      }
    } finally {
      if (changed) this.#changed()
    }
  }

  #take(type: string, object: unknown): boolean {
    const item = this.#options.shape.itemOf(object)
    const key = this.#key(item)
    const { resourceVersion } = this.#options.shape.metadataOf(item)
    if (resourceVersion !== undefined) this.#revision = resourceVersion
    if (type === 'DELETED') return this.#items.delete(key)
    this.#items.set(key, item)
    return true
  }

  /**
   * Replaces the items by a complete list; unchanged items keep their identity, so that they are not rendered again.
   */
  #replace(items: Map<string, Item>): void {
    const { shape } = this.#options
    for (const [key, item] of items) {
      const old = this.#items.get(key)
      if (old === undefined) continue
      const { resourceVersion } = shape.metadataOf(item)
      if (
        resourceVersion !== undefined &&
        shape.metadataOf(old).resourceVersion === resourceVersion
      )
        items.set(key, old)
    }
    this.#items = items
    this.#changed()
  }

  #key(item: Item): string {
    const { uid, namespace = '', name } = this.#options.shape.metadataOf(item)
    return uid ?? `${namespace}/${name}`
  }

  #become(state: FeedState): void {
    this.#state = state
    this.relay?.({ type: 'state', state: sentState(state) })
    this.#changed()
  }

  #changed(): void {
    this.#version++
    for (const listener of this.#listeners) listener()
  }
}

function sentState(state: FeedState): SentState {
  if (!('error' in state)) return { name: state.name }
  const { error } = state
  const { message } = error
  if (!(error instanceof StatusError)) return { name: state.name, error: { message } }
  const { code, reason, details } = error
  return { name: state.name, error: { code, reason, message, details } }
}

function receivedState({ name, error = {} }: SentState): FeedState {
  if (name === 'refused') return { name, error: new StatusError(error, error.code ?? 500) }
  if (name !== 'stale') return { name }
  const isStatus = error.code !== undefined
  return { name, error: isStatus ? new StatusError(error, 500) : new Error(error.message) }
}

/** Aborts a connection that is silent for too long. */
class Silence {
  readonly #controller = new AbortController()
  readonly #around: Surroundings
  readonly #ms: number
  #cancel: () => void

  constructor(around: Surroundings, ms: number) {
    this.#around = around
    this.#ms = ms
    this.#cancel = this.#begin()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  heard(): void {
    this.#cancel()
    this.#cancel = this.#begin()
  }

  end(): void {
    this.#cancel()
    this.#controller.abort()
  }

  #begin(): () => void {
    const why = new Error('the connection is silent')
    return this.#around.after(this.#ms, () => this.#controller.abort(why))
  }
}

/** Revision of an object, or of the object in the row of a table. */
function revisionOf(object: unknown): string {
  // Sound: every event has an object or a table.
  const { metadata, rows } = object as Partial<ListedObject> & { rows?: { object: ListedObject }[] }
  return rows?.[0]?.object.metadata.resourceVersion ?? metadata?.resourceVersion ?? ''
}

/** Errors of the request itself. Timeouts (408), a dropped revision (410) and overload (429) are temporary. */
function isFinal(error: Error): error is StatusError {
  if (!(error instanceof StatusError)) return false
  return error.code >= 400 && error.code < 500 && ![408, 410, 429].includes(error.code)
}
