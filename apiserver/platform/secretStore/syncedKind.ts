import type { ApiObject } from '../../meta/types.ts'
import type { Store } from '../../registry/store.ts'
import type { Strategy } from '../../registry/strategy.ts'
import type { StorePath } from './keyValueEngine.ts'
import type { SecretData } from './storedData.ts'
import type { SyncBase } from './syncDecision.ts'

/** Changes of an object by a sync; absent members are unchanged. */
export interface SyncedChange {
  data?: SecretData
  /** null: the object is no longer synced. */
  base?: SyncBase | null
  /** True if the object's deletion waits for the store. */
  isHeld?: boolean
  condition?: SyncCondition
}

export interface SyncCondition {
  isReady: boolean
  reason: string
  message: string
}

/** A kind of objects that can be synced with a secret store. No function modifies its arguments. */
export interface SyncedKind {
  store: Store
  /** A string in the bytes of every object that is or was synced. */
  word: string
  /** Strategy of the server's own writes. */
  strategy: Strategy
  /** The object's place in the store; undefined: it is not synced. */
  place(object: ApiObject): StorePath | undefined
  base(object: ApiObject): SyncBase | undefined
  data(object: ApiObject): SecretData
  isHeld(object: ApiObject): boolean
  changed(object: ApiObject, change: SyncedChange, nowMs: number): ApiObject
}
