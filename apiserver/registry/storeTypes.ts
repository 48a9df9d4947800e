import type { Clock, Random } from '../meta/clock.ts'
import type { ApiObject } from '../meta/types.ts'
import type { Storage } from '../storage/storage.ts'
import type { AdmissionControl } from './admission.ts'
import type { ResourceDefinition } from './resource.ts'

/** Name and namespace of an object. `namespace` is empty for cluster-scoped kinds. */
export interface ObjectName {
  namespace: string
  name: string
}

export interface StoreOptions {
  resource: ResourceDefinition
  storage: Storage
  clock: Clock
  random: Random
  /** Key prefix of the control plane; ends with a slash. */
  planePrefix: string
  /** Refuses a write by throwing; called in the synchronous turn in which storage checks it. */
  admit: WriteGuard
  /** Admission of client writes. Absent: writes are not reviewed. */
  admission?: AdmissionControl | undefined
  /** Called with errors outside of requests. */
  report: (error: unknown) => void
}

/** Write by a client or the server itself, which may have to be refused. */
export interface GuardedWrite {
  operation: 'create' | 'update' | 'delete'
  resource: ResourceDefinition
  namespace: string
  name: string
}

export type WriteGuard = (write: GuardedWrite) => void

/** A written object. */
export interface Written {
  /** The encoded object with a trailing line feed. */
  bytes: Buffer
  created: boolean
}

export interface Deleted {
  /** The remaining object (being deleted), or its last state. */
  object: ApiObject
  bytes: Buffer
  /** True if the object is gone. */
  isGone: boolean
}
