import type { StatusError } from '../meta/status.ts'
import type { ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import type { Strategy } from '../registry/strategy.ts'

/** What is to become of an object that names a shared secret. */
export interface TakingOutcome {
  /** The namespace and name of the shared secret it was decided for, joined by a slash. */
  source: string
  isReady: boolean
  /** Why, in CamelCase, and for people. */
  reason: string
  message: string
  /** Values in base64, by key. `keep`: what the object has; `none`: nothing. */
  data: 'keep' | 'none' | Readonly<Record<string, string>>
  /** UID of the shared secret whose data it is; absent with data that is the object's own. */
  uid?: string
}

export interface SharedState {
  /** Whether who set the labels may read the shared secret. */
  isAllowed: boolean
  /** Absent: there is none. */
  sharedSecret: ApiObject | undefined
}

/** A kind whose objects take over the data of shared secrets. Nothing here changes its arguments. */
export interface TakingKind {
  store: Store
  /** Stands in the bytes of every object that names a shared secret. */
  word: string
  /** What the server's own writes of data and conditions go through. */
  strategy: Strategy
  /** The namespace and name of the shared secret that the object names, joined by a slash. */
  source(object: ApiObject): string | undefined
  /** Whether who set the object's labels may read the shared secret now. */
  isAllowed(object: ApiObject): Promise<boolean>
  outcome(object: ApiObject, state: SharedState): TakingOutcome
  /** The outcome where the kind's own rules refuse the data. */
  refused(outcome: TakingOutcome, why: StatusError): TakingOutcome
  /** The newest state with the outcome; as it is where it names another shared secret by now. */
  applied(newest: ApiObject, outcome: TakingOutcome, nowMs: number): ApiObject
}
