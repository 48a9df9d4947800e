import type { ApiObject } from '../../meta/types.ts'
import type { Store } from '../../registry/store.ts'
import type { Strategy } from '../../registry/strategy.ts'
import type { StorePath } from './keyValueEngine.ts'
import type { SecretData } from './storedData.ts'
import type { SyncBase } from './syncDecision.ts'

/** What a sync changes of an object; what is absent stays. */
export interface SyncedChange {
  data?: SecretData
  /** null: the object is not synced any more. */
  base?: SyncBase | null
  /** Whether the object's deletion waits for the store. */
  isHeld?: boolean
  condition?: SyncCondition
}

export interface SyncCondition {
  isReady: boolean
  reason: string
  message: string
}

/** A kind whose objects can be synced with a secret store. Nothing here changes its arguments. */
export interface SyncedKind {
  store: Store
  /** Stands in the bytes of every object that is synced, or was. */
  word: string
  /** What the server's own writes go through. */
  strategy: Strategy
  /** Where in the store the object is kept; undefined: it is not synced. */
  place(object: ApiObject): StorePath | undefined
  base(object: ApiObject): SyncBase | undefined
  data(object: ApiObject): SecretData
  isHeld(object: ApiObject): boolean
  changed(object: ApiObject, change: SyncedChange, nowMs: number): ApiObject
}
