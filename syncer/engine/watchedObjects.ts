import type { Clock, Random } from '../../apiserver/meta/clock.ts'
import type { PlaneClient, PlaneResource } from '../client/planeClient.ts'
import type { ObjectName } from '../names/naming.ts'
import { Informer } from './informer.ts'
import { keyOf, ObjectCache, placeOf } from './objectCache.ts'

export interface WatchedObjectsOptions {
  client: PlaneClient
  clock: Clock
  random: Random
  /** Where all objects of a kind are looked for; undefined: everywhere. */
  namespace: string | undefined
  /** Told of a change of what is watched under a mark, and of each failure to watch it. */
  changed: (mark: string) => void
  report: (error: unknown) => void
}

interface Watched {
  resource: PlaneResource
  /** The marks that watch an object, by its key. */
  marks: Map<string, Set<string>>
  /** By the key of the object; under the empty key that of the whole kind. */
  informers: Map<string, Informer>
}

/** More objects of a kind than this are watched with all of their kind, so that there is no end to connections. */
const mostAlone = 16
/** Whoever writes objects may name any kind. */
const mostKinds = 32
/** Without the right to watch, this is how often is looked. */
const longestWaitMs = 60_000

/** Watches single objects of any kinds of a plane, each under marks of whoever asks, which mean one object at a time. */
export class WatchedObjects {
  readonly #options: WatchedObjectsOptions
  readonly #kinds = new Map<string, Watched>()
  readonly #placed = new Map<string, { kind: string; key: string }>()
  readonly #ending = new Set<Promise<void>>()
  #isStopped = false

  constructor(options: WatchedObjectsOptions) {
    this.#options = options
  }

  /** Watches an object under a mark, instead of another one that was watched under it. */
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

  /** Starts and ends informers as the marks ask for them. A kind that was watched whole stays so until few are left. */
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
