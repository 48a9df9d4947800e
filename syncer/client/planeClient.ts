import type { ApiObject } from '../../apiserver/meta/types.ts'

/** A kind as its API serves it. */
export interface PlaneResource {
  /** `v1` or `group/version`. */
  apiVersion: string
  kind: string
  plural: string
  namespaced: boolean
}

export interface ObjectPlace {
  name: string
  /** Empty for kinds without namespaces. */
  namespace: string
}

export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  object: ApiObject
}

/** One control plane as the syncer uses it: over HTTP, or anything that behaves so. Objects handed out are never
 *  changed by either side. Every method but `close` throws PlaneError for a refusal of the server, and the system's
 *  error where it is not reached. */
export interface PlaneClient {
  /** Everything that is selected, as it was at one revision. The signal ends the wait. */
  list(resource: PlaneResource, selected: Selection, signal?: AbortSignal): Promise<PlaneList>
  /** Hands on events after a revision, oldest first. Resolves when the server or `signal` ends the watch.
   *  @throws PlaneError 410 where the revision is no longer known: list again. */
  watch(
    resource: PlaneResource,
    from: WatchStart,
    onEvent: (event: WatchEvent) => void,
  ): Promise<void>
  /** Undefined: it is not there. */
  get(resource: PlaneResource, place: ObjectPlace): Promise<ApiObject | undefined>
  create(resource: PlaneResource, object: ApiObject): Promise<ApiObject>
  /** Writes the object over the revision that it carries. @throws PlaneError 409 where another is there. */
  replace(resource: PlaneResource, object: ApiObject, subresource?: string): Promise<ApiObject>
  /** Deletes the object with this uid; does nothing where it is not there any more.
   *  @throws PlaneError 409 where it is not at `resourceVersion`, if that is given, or another one. */
  delete(
    resource: PlaneResource,
    place: ObjectPlace,
    uid: string | undefined,
    resourceVersion?: string,
  ): Promise<void>
  /** How a kind is served; undefined: it is not. */
  resourceOf(apiVersion: string, kind: string): Promise<PlaneResource | undefined>
  /** Ends what is on its way. */
  close(): void
}

export interface PlaneList {
  items: ApiObject[]
  resourceVersion: string
}

/** Which objects of a kind are meant. */
export interface Selection {
  /** Undefined: those of all namespaces. */
  namespace: string | undefined
  /** Undefined: those of all names. */
  name?: string | undefined
  /** A label selector; undefined: those with any labels. */
  labels?: string | undefined
}

export interface WatchStart extends Selection {
  resourceVersion: string
  signal: AbortSignal
}

/** A refusal of a server: the code and words of its Status. */
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
