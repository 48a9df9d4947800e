import type { Clock, Random } from '../meta/clock.ts'
import type { ApiObject } from '../meta/types.ts'
import type { Storage } from '../storage/storage.ts'
import type { AdmissionControl } from './admission.ts'
import type { ResourceDefinition } from './resource.ts'

/** Where an object lives. `namespace` is empty for kinds without one. */
export interface ObjectName {
  namespace: string
  name: string
}

export interface StoreOptions {
  resource: ResourceDefinition
  storage: Storage
  clock: Clock
  random: Random
  /** Keys of the control plane begin with this; ends with a slash. */
  planePrefix: string
  /** Refuses a write by throwing; called in the synchronous turn in which storage checks it. */
  admit: WriteGuard
  /** Who reviews the writes of clients. Absent: nobody does. */
  admission?: AdmissionControl | undefined
  /** Told of errors that are nobody's request. */
  report: (error: unknown) => void
}

/** A write, of a client or of the server itself, that may have no place any more. */
export interface GuardedWrite {
  operation: 'create' | 'update' | 'delete'
  resource: ResourceDefinition
  namespace: string
  name: string
}

export type WriteGuard = (write: GuardedWrite) => void

/** An object as it was written. */
export interface Written {
  /** The encoded object, with a line feed at its end. */
  bytes: Buffer
  created: boolean
}

export interface Deleted {
  /** What is still there (being deleted), or was there last. */
  object: ApiObject
  bytes: Buffer
  /** The object is gone. */
  isGone: boolean
}
