import type { StorePath, StoreSecret } from './keyValueEngine.ts'
import { digest, fromStore, merged, type SecretData } from './storedData.ts'

/** What both sides had when they were last the same. */
export interface SyncBase extends StorePath {
  /** As in StoreSecret. */
  version: number
  isDeleted: boolean
  /** Of the data here. */
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

/** `push`: what is here is to be written to the store. `take`: this is to be the data here. `merge`: both changed. */
export type SyncDecision =
  { act: 'none' } | { act: 'push' } | { act: 'take'; data: SecretData } | { act: 'merge' }

/** What makes both sides the same again.
 *
 *  One side changed: the other follows, a deletion in the store included, which leaves no data here. Both changed: a
 *  deletion in the store gives way to the change here; else changes are merged key by key, and the store's wins where
 *  both changed the same key. At the first sync what is only on one side is added on the other. A store that no longer
 *  knows of a secret at all, as one that was set up anew, is given it again: only what it says is deleted is deleted. */
export function decideSync({ local, store, base, salt }: SyncState): SyncDecision {
  const isEmpty = Object.keys(local).length === 0
  if (store.version === 0) return { act: isEmpty ? 'none' : 'push' }
  const isLocalChanged = base === undefined ? !isEmpty : digest(local, salt) !== base.digest
  const isStoreChanged = base === undefined || isOther(store, base, salt)
  if (!isStoreChanged) return { act: isLocalChanged ? 'push' : 'none' }
  if (isLocalChanged) return { act: store.isDeleted ? 'push' : 'merge' }
  return { act: 'take', data: fromStore(store.data) }
}

/** A store that was set up anew counts from 1 again, so an equal version alone says nothing. */
function isOther({ version, isDeleted, data }: StoreSecret, base: SyncBase, salt: string): boolean {
  if (version !== base.version || isDeleted !== base.isDeleted) return true
  return digest(fromStore(data), salt) !== base.digest
}

/** The data here after a merge. `base` is the store's version that both sides had; undefined: it is gone, or there never
 *  was one, and then nothing was deleted on either side. */
export function mergeOf({ local, store }: SyncState, base: StoreSecret | undefined): SecretData {
  const common = base === undefined ? {} : fromStore(base.data)
  return merged(common, local, fromStore(store.data))
}
