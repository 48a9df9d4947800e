import type { ApiObject } from '../../apiserver/meta/types.ts'

/** The key of an object: `namespace/name`. */
export function objectKey({ metadata }: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`
}

export function keyOf({ namespace, name }: { namespace: string; name: string }): string {
  return `${namespace}/${name}`
}

export function placeOf(key: string): { namespace: string; name: string } {
  const slash = key.indexOf('/')
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}

export type CacheListener = (
  key: string,
  object: ApiObject | undefined,
  old: ApiObject | undefined,
) => void

const mostGone = 1_000

/**
 * Newest known state of each object, from watches and from responses to own writes, which often arrive sooner. An older
 * state never replaces a newer one.
 */
export class ObjectCache {
  readonly #objects = new Map<string, ApiObject>()
  /** Revisions at which objects were deleted: the response to a write may arrive later. */
  readonly #gone = new Map<string, string>()
  readonly #listener: CacheListener

  constructor(listener: CacheListener) {
    this.#listener = listener
  }

  get(key: string): ApiObject | undefined {
    return this.#objects.get(key)
  }

  keys(): string[] {
    return [...this.#objects.keys()]
  }

  accept(object: ApiObject): void {
    const key = objectKey(object)
    const held = this.#objects.get(key)
    const known = held === undefined ? this.#gone.get(key) : revisionOf(held)
    if (known !== undefined && compareRevisions(known, revisionOf(object)) >= 0) return
    this.#gone.delete(key)
    this.#objects.set(key, object)
    this.#listener(key, object, held)
  }

  /** Removes an object that was deleted at `resourceVersion`. */
  remove(key: string, resourceVersion: string): void {
    const held = this.#objects.get(key)
    this.#remember(key, resourceVersion)
    if (held === undefined || compareRevisions(revisionOf(held), resourceVersion) > 0) return
    this.#objects.delete(key)
    this.#listener(key, undefined, held)
  }

  #remember(key: string, resourceVersion: string): void {
    this.#gone.delete(key)
    this.#gone.set(key, resourceVersion)
    const [oldest] = this.#gone.keys()
    if (this.#gone.size > mostGone && oldest !== undefined) this.#gone.delete(oldest)
  }

  /** Applies a whole list: missing objects are removed, unless they are newer than the list. */
  replaceAll(items: readonly ApiObject[], resourceVersion: string): void {
    const there = new Set(items.map(objectKey))
    for (const key of this.keys()) if (!there.has(key)) this.remove(key, resourceVersion)
    for (const item of items) this.accept(item)
  }
}

export function revisionOf({ metadata }: ApiObject): string {
  return metadata.resourceVersion ?? ''
}

/** Compares two resource versions, which are integers as strings. */
function compareRevisions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length
  return a === b ? 0 : a < b ? -1 : 1
}
