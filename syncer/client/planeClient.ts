import type { ApiObject } from '../../apiserver/meta/types.ts'

/** A kind as served by its API. */
export interface PlaneResource {
  /** `v1` or `group/version`. */
  apiVersion: string
  kind: string
  plural: string
  namespaced: boolean
}

export interface ObjectPlace {
  name: string
  /** Empty for cluster-scoped kinds. */
  namespace: string
}

export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  object: ApiObject
}

/**
 * A control plane as used by the syncer: over HTTP or an equivalent. Returned objects are immutable for both sides.
 * Every method except `close` throws PlaneError for an error of the server, and the system's error if it is
 * unreachable.
 */
export interface PlaneClient {
  /** Lists selected objects at one revision. The signal ends the wait. */
  list(resource: PlaneResource, selected: Selection, signal?: AbortSignal): Promise<PlaneList>
  /**
   * Passes on events after a revision, oldest first. Resolves when the server or `signal` ends the watch.
   * @throws PlaneError 410 if the revision is no longer available: list again.
   */
  watch(
    resource: PlaneResource,
    from: WatchStart,
    onEvent: (event: WatchEvent) => void,
  ): Promise<void>
  /** Reads an object; undefined: it does not exist. */
  get(resource: PlaneResource, place: ObjectPlace): Promise<ApiObject | undefined>
  create(resource: PlaneResource, object: ApiObject): Promise<ApiObject>
  /** Replaces the object at its resourceVersion. @throws PlaneError 409 if it has changed. */
  replace(resource: PlaneResource, object: ApiObject, subresource?: string): Promise<ApiObject>
  /**
   * Deletes the object with this uid; does nothing if it is gone already.
   * @throws PlaneError 409 if it is another object, or not at `resourceVersion`, if given.
   */
  delete(
    resource: PlaneResource,
    place: ObjectPlace,
    uid: string | undefined,
    resourceVersion?: string,
  ): Promise<void>
  /** The resource of a kind; undefined: it is not served. */
  resourceOf(apiVersion: string, kind: string): Promise<PlaneResource | undefined>
  /** Aborts pending requests. */
  close(): void
}

export interface PlaneList {
  items: ApiObject[]
  resourceVersion: string
}

/** Selection of objects of a kind. */
export interface Selection {
  /** Undefined: all namespaces. */
  namespace: string | undefined
  /** Undefined: all names. */
  name?: string | undefined
  /** Label selector; undefined: any labels. */
  labels?: string | undefined
}

export interface WatchStart extends Selection {
  resourceVersion: string
  signal: AbortSignal
}

/** Error of a server: code and message of its Status. */
export class PlaneError extends Error {
  readonly code: number
  readonly reason: string

  constructor(code: number, reason: string, message: string) {
    super(message)
    this.name = 'PlaneError'
    this.code = code
    this.reason = reason
  }
}

export function isPlaneError(error: unknown, code: number): boolean {
  return error instanceof PlaneError && error.code === code
}
