import { virtualNameOf } from '../../syncer/engine/managed.ts'
import { markers, type Markers } from '../../syncer/names/markers.ts'
import type { ControlPlane } from '../controlPlane/controlPlane.ts'
import type { ApiObject } from '../meta/types.ts'
import { ignoring } from '../registry/ignoring.ts'
import { decodeObject } from '../registry/objectBytes.ts'
import { systemContext } from '../registry/systemContext.ts'
import type { Storage, StoredValue } from '../storage/storage.ts'
import { planeKeyPrefix } from './planeRemoval.ts'

/** The host cluster, namespace and name that a virtual cluster is synced to. */
export interface HostPlace {
  cluster: string
  namespace: string
  name: string
}

export interface HostPlane {
  plane: ControlPlane
  /** Prefix of its keys in storage. */
  keyPrefix: string
}

export interface HostCopiesOptions {
  storage: Storage
  /** The domain of the names profile. */
  domain: string
  /** Opens the plane of a cluster; undefined: the cluster does not exist, and so has no copies. */
  hostPlane: (cluster: string, signal: AbortSignal) => Promise<HostPlane | undefined>
}

const keysAtOnce = 500

/**
 * Removes the copies of a virtual cluster from former hosts. Each host is recorded in storage, among the keys of the
 * plane, before its first copy is created, so that copies are found after a crash too.
 */
export class HostCopies {
  readonly #options: HostCopiesOptions
  readonly #marks: Markers

  constructor(options: HostCopiesOptions) {
    this.#options = options
    this.#marks = markers(options.domain)
  }

  /**
   * Records the host of a plane, and removes its copies from all others. Undefined: no host. The
   * plane must not be synced in the meantime. The signal ends the move after the write in progress.
   * @throws StorageError, StatusError, the signal's reason: retry.
   */
  async move(uid: string, place: HostPlace | undefined, signal: AbortSignal): Promise<void> {
    const { storage } = this.#options
    const noted = await storage.list({ prefix: notesPrefix(uid) })
    const right = place && noteKey(uid, place)
    for (const note of noted.items) {
      if (note.key === right) continue
      await this.#removeCopies(uid, placeOf(note), signal)
      await storage.delete(note.key, note.revision)
    }
    if (place === undefined || noted.items.some(({ key }) => key === right)) return
    signal.throwIfAborted()
    const rest = JSON.stringify(place).slice(1)
    await storage.create(noteKey(uid, place), { before: '{"revision":', after: `,${rest}` })
  }

  async #removeCopies(uid: string, place: HostPlace, signal: AbortSignal): Promise<void> {
    const host = await this.#options.hostPlane(place.cluster, signal)
    if (host === undefined) return
    const word = Buffer.from(`"${this.#marks.managedBy}":${JSON.stringify(place.name)}`)
    let start = host.keyPrefix
    for (;;) {
      signal.throwIfAborted()
      const range = { prefix: host.keyPrefix, start }
      const { items, more } = await this.#options.storage.list(range, { limit: keysAtOnce })
      const likely = items.filter(({ value }) => value.includes(word))
      await Promise.all(likely.map((stored) => this.#removeCopy(stored, host, { uid, place })))
      const last = items.at(-1)
      if (!more || last === undefined) return
      start = `${last.key}\0`
    }
  }

  async #removeCopy(
    { key, value }: StoredValue,
    { plane, keyPrefix }: HostPlane,
    { uid, place }: { uid: string; place: HostPlace },
  ): Promise<void> {
    const object = decodeObject(value)
    const located = plane.locate(key)
    if (located === undefined) return
    const of = { marks: this.#marks, virtualCluster: place.name }
    const virtual = virtualNameOf(object, located.store.resource.kind, of)
    if (virtual === undefined) return
    const [group = '', plural = ''] = key.slice(keyPrefix.length).split('/')
    const virtualKey = `${planeKeyPrefix(uid)}${group}/${plural}/${virtual.namespace}/${virtual.name}`
    // Another virtual cluster of this name may have copies in other namespaces of the same host.
    if (object.metadata.namespace !== place.namespace && !this.#isOf(object, virtualKey)) return
    const preconditions = { uid: object.metadata.uid ?? '' }
    await located.store.delete(located.target, { preconditions }, systemContext()).catch(ignoreGone)
  }

  #isOf({ metadata }: ApiObject, virtualKey: string): boolean {
    const stored = this.#options.storage.newest(virtualKey)
    const uid = stored && decodeObject(stored.value).metadata.uid
    return uid !== undefined && uid === metadata.annotations?.[this.#marks.objectUid]
  }
}

function notesPrefix(uid: string): string {
  // No kind has such keys: the name of a group contains a dot unless it is built-in.
  return `${planeKeyPrefix(uid)}hosts/`
}

function noteKey(uid: string, { cluster, namespace }: HostPlace): string {
  return `${notesPrefix(uid)}${cluster}/${namespace}`
}

function placeOf({ value }: StoredValue): HostPlace {
  // Sound: only `move` writes such keys.
  return JSON.parse(value.toString()) as HostPlace
}

/** Ignores that the object is gone, or that another object has its name. */
const ignoreGone = ignoring('NotFound', 'Conflict')
