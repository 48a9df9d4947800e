import type { StatusError } from '../meta/status.ts'
import type { ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import type { Strategy } from '../registry/strategy.ts'

/** The result for an object that references a shared secret. */
export interface ConsumerOutcome {
  /** The namespace and name of the shared secret, joined by a slash. */
  source: string
  isReady: boolean
  /** Reason in CamelCase, and a message for people. */
  reason: string
  message: string
  /** Values in base64, by key. `keep`: the object's current ones; `none`: nothing. */
  data: 'keep' | 'none' | Readonly<Record<string, string>>
  /** UID of the shared secret that the data is from; absent if the data is the object's own. */
  uid?: string
}

export interface SharedState {
  /** True if the user that set the labels may read the shared secret. */
  isAllowed: boolean
  /** Absent: it does not exist. */
  sharedSecret: ApiObject | undefined
}

/** A kind whose objects copy the data of shared secrets. No function modifies its arguments. */
export interface ConsumerKind {
  store: Store
  /** A string in the bytes of every object that references a shared secret. */
  word: string
  /** Strategy of the server's own writes of data and conditions. */
  strategy: Strategy
  /** The namespace and name of the referenced shared secret, joined by a slash. */
  source(object: ApiObject): string | undefined
  /** Reports whether the user that set the object's labels may read the shared secret now. */
  isAllowed(object: ApiObject): Promise<boolean>
  outcome(object: ApiObject, state: SharedState): ConsumerOutcome
  /** The outcome if the kind's own rules reject the data. */
  refused(outcome: ConsumerOutcome, why: StatusError): ConsumerOutcome
  /** The newest state with the outcome applied; unchanged if it references another shared secret by now. */
  applied(newest: ApiObject, outcome: ConsumerOutcome, nowMs: number): ApiObject
}
