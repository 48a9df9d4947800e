import type { StorePath, StoreSecret } from './keyValueEngine.ts'
import { digest, fromStore, merged, type SecretData } from './storedData.ts'

/** The state of both sides at the last sync. */
export interface SyncBase extends StorePath {
  /** Fields as in StoreSecret. */
  version: number
  isDeleted: boolean
  /** Digest of the data here. */
  digest: string
}

export interface SyncState {
  local: SecretData
  store: StoreSecret
  /** Absent: the object was never synced with this path. */
  base: SyncBase | undefined
  /** UID of the object. */
  salt: string
}

/** `push`: write the local data to the store. `take`: replace the local data. `merge`: both changed. */
export type SyncDecision =
  { act: 'none' } | { act: 'push' } | { act: 'take'; data: SecretData } | { act: 'merge' }

/**
 * Decides how to make both sides equal again.
 *
 * If one side changed, the other follows, including a deletion in the store, which removes the data here. If both
 * changed, a local change overrides a deletion in the store; other changes are merged key by key, and the store wins if
 * both changed the same key. At the first sync, keys on one side are added to the other. A store without any record of
 * a secret, such as a new one, receives it again: only an explicit deletion deletes.
 */
export function decideSync({ local, store, base, salt }: SyncState): SyncDecision {
  const isEmpty = Object.keys(local).length === 0
  if (store.version === 0) return { act: isEmpty ? 'none' : 'push' }
  const isLocalChanged = base === undefined ? !isEmpty : digest(local, salt) !== base.digest
  const isStoreChanged = base === undefined || isOther(store, base, salt)
  if (!isStoreChanged) return { act: isLocalChanged ? 'push' : 'none' }
  if (isLocalChanged) return { act: store.isDeleted ? 'push' : 'merge' }
  return { act: 'take', data: fromStore(store.data) }
}

/** Reports whether the store changed. A new store counts from 1 again, so an equal version is not sufficient. */
function isOther({ version, isDeleted, data }: StoreSecret, base: SyncBase, salt: string): boolean {
  if (version !== base.version || isDeleted !== base.isDeleted) return true
  return digest(fromStore(data), salt) !== base.digest
}

/**
 * Local data after a merge. `base` is the store's version at the last sync; undefined: it is gone, or never existed, so
 * nothing counts as deleted on either side.
 */
export function mergeOf({ local, store }: SyncState, base: StoreSecret | undefined): SecretData {
  const common = base === undefined ? {} : fromStore(base.data)
  return merged(common, local, fromStore(store.data))
}
