import type { StatusError } from '../meta/status.ts'
import type { ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import type { Strategy } from '../registry/strategy.ts'

/** The result for an object that references a shared secret. */
export interface ConsumerOutcome {
  /** Namespace and name of the shared secret, joined by a slash. */
  source: string
  isReady: boolean
  /** Reason in CamelCase; `message` is for people. */
  reason: string
  message: string
  /** Base64 values by key. `keep`: the object's current data; `none`: no data. */
  data: 'keep' | 'none' | Readonly<Record<string, string>>
  /** UID of the shared secret that the data comes from; absent if the data is the object's own. */
  uid?: string
}

export interface SharedState {
  /** True if the user who set the labels may read the shared secret. */
  isAllowed: boolean
  /** Shared secret; undefined: it does not exist. */
  sharedSecret: ApiObject | undefined
}

/** A kind whose objects copy the data of shared secrets. No function modifies its arguments. */
export interface ConsumerKind {
  store: Store
  /** String that occurs in the bytes of every object with a reference to a shared secret. */
  word: string
  /** Strategy for the server's own writes of data and conditions. */
  strategy: Strategy
  /** Namespace and name of the referenced shared secret, joined by a slash; undefined: none. */
  source(object: ApiObject): string | undefined
  /** Reports whether the user who set the object's labels may currently read the shared secret. */
  isAllowed(object: ApiObject): Promise<boolean>
  outcome(object: ApiObject, state: SharedState): ConsumerOutcome
  /** The outcome if the kind's own rules refuse the data. */
  refused(outcome: ConsumerOutcome, why: StatusError): ConsumerOutcome
  /**
   * The newest state with the outcome applied; unchanged if the object now references another
   * shared secret.
   */
  applied(newest: ApiObject, outcome: ConsumerOutcome, nowMs: number): ApiObject
}
