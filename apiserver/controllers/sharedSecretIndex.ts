import { addTo, removeFrom } from '../meta/collections/setsByKey.ts'
import type { ApiObject } from '../meta/types.ts'
import type { ConsumerKind } from './consumerKind.ts'

/** An object that references a shared secret. */
export interface Taker {
  kind: ConsumerKind
  /** Namespace and name of the shared secret, joined by a slash. */
  source: string
}

/**
 * References to shared secrets: the reference of each object by storage key, and the keys by shared
 * secret.
 */
export class SharedSecretIndex {
  readonly #takers = new Map<string, Taker>()
  readonly #keys = new Map<string, Set<string>>()

  get(key: string): Taker | undefined {
    return this.#takers.get(key)
  }

  /** Keys of the objects that reference a shared secret. */
  takersOf(source: string): Iterable<string> {
    return this.#keys.get(source) ?? []
  }

  /**
   * Records the newest state of an object, which is undefined if it is gone. Returns whether the
   * object references a shared secret.
   */
  set(key: string, kind: ConsumerKind, object: ApiObject | undefined): boolean {
    const source = object && kind.source(object)
    const before = this.#takers.get(key)
    if (before !== undefined && before.source !== source) this.#forget(key, before.source)
    if (source === undefined) return false
    this.#takers.set(key, { kind, source })
    addTo(this.#keys, source, key)
    return true
  }

  #forget(key: string, source: string): void {
    this.#takers.delete(key)
    removeFrom(this.#keys, source, key)
  }
}
