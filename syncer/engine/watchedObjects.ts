import type { Clock, Random } from '../../apiserver/meta/clock.ts'
import type { PlaneClient, PlaneResource } from '../client/planeClient.ts'
import type { ObjectName } from '../names/naming.ts'
import { Informer } from './informer.ts'
import { keyOf, ObjectCache, placeOf } from './objectCache.ts'

export interface WatchedObjectsOptions {
  client: PlaneClient
  clock: Clock
  random: Random
  /** Namespace of watches of whole kinds; undefined: all. */
  namespace: string | undefined
  /** Called for each change of an object with its mark, and for each failure to watch it. */
  changed: (mark: string) => void
  report: (error: unknown) => void
}

interface Watched {
  resource: PlaneResource
  /** Marks of watched objects, by object key. */
  marks: Map<string, Set<string>>
  /** Informers by object key; the empty key is the whole kind. */
  informers: Map<string, Informer>
}

/**
 * Maximum number of individually watched objects of a kind; beyond it the whole kind is watched, which limits
 * connections.
 */
const mostAlone = 16
/** Maximum number of kinds, since users may write any kind into objects. */
const mostKinds = 32
/** Interval of attempts without the right to watch. */
const longestWaitMs = 60_000

/**
 * Watches individual objects of any kinds of a plane under marks of the caller; each mark stands for one object at a
 * time.
 */
export class WatchedObjects {
  readonly #options: WatchedObjectsOptions
  readonly #kinds = new Map<string, Watched>()
  readonly #placed = new Map<string, { kind: string; key: string }>()
  readonly #ending = new Set<Promise<void>>()
  #isStopped = false

  constructor(options: WatchedObjectsOptions) {
    this.#options = options
  }

  /** Watches an object under a mark, replacing the mark's previous object. */
  watch(mark: string, resource: PlaneResource, { name, namespace }: ObjectName): void {
    const kind = `${resource.apiVersion} ${resource.kind}`
    const key = keyOf({ name, namespace: resource.namespaced ? namespace : '' })
    const placed = this.#placed.get(mark)
    if (this.#isStopped || (placed?.kind === kind && placed.key === key)) return
    this.forget(mark)
    const watched = this.#kinds.get(kind) ?? this.#addKind(kind, resource)
    if (watched === undefined) return
    watched.marks.set(key, (watched.marks.get(key) ?? new Set()).add(mark))
    this.#placed.set(mark, { kind, key })
    this.#adjust(watched)
  }

  forget(mark: string): void {
    const placed = this.#placed.get(mark)
    const watched = placed && this.#kinds.get(placed.kind)
    if (placed === undefined || watched === undefined) return
    this.#placed.delete(mark)
    const marks = watched.marks.get(placed.key)
    marks?.delete(mark)
    if (marks?.size === 0) watched.marks.delete(placed.key)
    if (watched.marks.size === 0) this.#kinds.delete(placed.kind)
    this.#adjust(watched)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const watched of this.#kinds.values()) {
      watched.marks.clear()
      this.#adjust(watched)
    }
    await Promise.all(this.#ending)
  }

  #addKind(kind: string, resource: PlaneResource): Watched | undefined {
    if (this.#kinds.size >= mostKinds) {
      const why = `objects of more than ${mostKinds} kinds are referred to`
      this.#options.report(new Error(`${why}: those of ${kind} are not followed`))
      return undefined
    }
    const watched = { resource, marks: new Map(), informers: new Map() }
    this.#kinds.set(kind, watched)
    return watched
  }

  /**
   * Starts and stops informers according to the marks. A kind continues to be watched as a whole
   * until few marks are left.
   */
  #adjust(watched: Watched): void {
    const { marks, informers } = watched
    const most = informers.has('') ? mostAlone / 2 : mostAlone
    const wanted = new Set(marks.size > most ? [''] : marks.keys())
    for (const key of wanted) if (!informers.has(key)) this.#start(watched, key)
    for (const [key, informer] of informers) {
      if (wanted.has(key)) continue
      informers.delete(key)
      const ending = informer.stop().finally(() => this.#ending.delete(ending))
      this.#ending.add(ending)
    }
  }

  #start(watched: Watched, key: string): void {
    const { client, clock, random, namespace, changed, report } = this.#options
    const { resource } = watched
    const tell = (of: string) => watched.marks.get(of)?.forEach(changed)
    const place = key === '' ? { namespace, name: undefined } : placeOf(key)
    const within = resource.namespaced ? place.namespace : undefined
    const failed = (error: unknown) => {
      report(error)
      for (const of of key === '' ? watched.marks.keys() : [key]) tell(of)
    }
    const informer = new Informer({
      ...{ client, resource, clock, random, longestWaitMs, namespace: within, name: place.name },
      cache: new ObjectCache(tell),
      report: failed,
    })
    watched.informers.set(key, informer)
    informer.start()
  }
}
