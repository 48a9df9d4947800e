import type { Authenticator } from '../endpoints/chainServices.ts'
import { newestState } from '../registry/read/newestState.ts'
import type { Storage } from '../storage/storage.ts'

/**
 * Authenticator that refuses a token only after it has seen the writes of all servers that share
 * the storage, because a key is valid on all servers as soon as one of them has returned it.
 */
export function withNewestCredentials(base: Authenticator, storage: Storage): Authenticator {
  if (!storage.isShared) return base
  const again = async (token: string) => {
    await newestState(storage)
    return base.authenticate(token)
  }
  return {
    ...base,
    authenticate: (token) => {
      const found = base.authenticate(token)
      if (found instanceof Promise) return found.then((user) => user ?? again(token))
      return found ?? again(token)
    },
  }
}
