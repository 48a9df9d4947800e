import type { ApiObject } from '../meta/types.ts'
import { decodeObject } from '../registry/objectBytes.ts'

/** Values derived from the stored objects of a kind, current as of the last acknowledged write. */
export class FollowedObjects<Made> {
  readonly #make: (object: ApiObject) => Made
  readonly #made = new Map<string, Made>()
  #sorted: readonly Made[] | undefined
  readonly #ofNamespaces = new Map<string, readonly Made[]>()
  #generation = 0

  constructor(make: (object: ApiObject) => Made) {
    this.#make = make
  }

  /** Incremented with every change. */
  get generation(): number {
    return this.#generation
  }

  /** Values sorted by namespace and name. */
  get all(): readonly Made[] {
    this.#sorted ??= [...this.#made].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, made]) => made)
    return this.#sorted
  }

  /** Namespaces that contain such objects. */
  get namespaces(): ReadonlySet<string> {
    return new Set([...this.#made.keys()].map((place) => place.slice(0, place.indexOf('/'))))
  }

  /** Value of the object `name` or `namespace/name`. */
  get(place: string): Made | undefined {
    return this.#made.get(place)
  }

  /** Values of a namespace, sorted by name. */
  inNamespace(namespace: string): readonly Made[] {
    if (this.#made.size === 0) return []
    let found = this.#ofNamespaces.get(namespace)
    if (found === undefined) {
      const own = [...this.#made].filter(([place]) => place.startsWith(`${namespace}/`))
      found = own.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, made]) => made)
      this.#ofNamespaces.set(namespace, found)
    }
    return found
  }

  /** Sets an object. @param value undefined: the object was deleted. */
  set(place: string, value: Buffer | undefined): void {
    if (value === undefined) this.#made.delete(place)
    else this.#made.set(place, this.#make(decodeObject(value)))
    this.#sorted = undefined
    this.#ofNamespaces.clear()
    this.#generation++
  }
}
