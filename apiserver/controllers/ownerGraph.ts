import { addTo, removeFrom } from '../meta/collections/setsByKey.ts'
import type { ApiObject, OwnerReference } from '../meta/types.ts'

/** An object with owners. */
export interface Dependent {
  uid: string
  /** Identifies the object in its control plane. */
  key: string
  owners: readonly OwnerReference[]
  /** True if the object was being deleted at its last change. */
  isDeleting: boolean
}

/** A graph of objects and their owners, which only contains objects with owner references. */
export class OwnerGraph {
  readonly #byKey = new Map<string, Dependent>()
  readonly #byOwner = new Map<string, Set<string>>()

  get size(): number {
    return this.#byKey.size
  }

  /** Records the current object at `key`; undefined: it is gone. */
  set(key: string, object: ApiObject | undefined): void {
    const before = this.#byKey.get(key)
    for (const { uid } of before?.owners ?? []) removeFrom(this.#byOwner, uid, key)
    this.#byKey.delete(key)
    const { uid = '', ownerReferences: owners = [], deletionTimestamp } = object?.metadata ?? {}
    if (owners.length === 0) return
    this.#byKey.set(key, { uid, key, owners, isDeleting: deletionTimestamp !== undefined })
    for (const owner of owners) addTo(this.#byOwner, owner.uid, key)
  }

  get(key: string): Dependent | undefined {
    return this.#byKey.get(key)
  }

  all(): Iterable<Dependent> {
    return this.#byKey.values()
  }

  dependentsOf(uid: string): Dependent[] {
    return [...(this.#byOwner.get(uid) ?? [])].flatMap((key) => this.#byKey.get(key) ?? [])
  }
}
